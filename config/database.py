"""PostgreSQL, 15 or newer."""

from arvel import env

config = {
    "default": "postgres",
    "connections": {
        "postgres": {
            "url": str(env("DATABASE_URL", "postgresql+asyncpg://localhost/pillarbox")).replace(
                "postgresql://", "postgresql+asyncpg://"
            ),
            "pool_size": env("DATABASE_POOL_SIZE", 10),
        },
    },
    "critical": True,
}

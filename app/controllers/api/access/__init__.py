"""Who am I, and which tokens are there?"""

from app.controllers.api.access import me, tokens

OPERATIONS = (*me.OPERATIONS, *tokens.OPERATIONS)

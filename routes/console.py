"""Commands and schedules of the command line; the commands themselves are classes in ``app``."""

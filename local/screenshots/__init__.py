"""Pictures of the console's pages, in both themes, with messages that the sandbox plays."""

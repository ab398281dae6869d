"""Projects of the workspace: begun and taken up by people and the assistant, kept current by runs."""

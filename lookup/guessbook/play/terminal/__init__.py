"""The terminal: what draws, and what prompts."""

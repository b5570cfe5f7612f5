"""Games in a terminal: drawings, reports and prompts."""

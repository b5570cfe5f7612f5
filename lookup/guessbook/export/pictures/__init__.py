"""Pictures of books, as SVG and as text for Graphviz."""

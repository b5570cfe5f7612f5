"""Pictures of strategy trees and of comparisons, as SVG or as text for Graphviz."""

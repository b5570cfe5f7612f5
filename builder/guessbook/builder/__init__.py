"""The builder grows whole strategy trees, and computes feedbacks and entropies with numpy."""

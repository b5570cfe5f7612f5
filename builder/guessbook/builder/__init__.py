"""The builder: it computes whole strategy trees, and tables of feedbacks and entropies as numpy arrays."""

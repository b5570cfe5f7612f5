"""The builder of whole strategy trees, and of feedbacks and entropies as numpy arrays."""

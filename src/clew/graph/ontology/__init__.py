"""What may be said of what: the entity types and predicates of a field, and how facts keep to them.

``schema`` reads an ontology from YAML; ``normalising`` brings facts into its terms and reports
what breaks them. ``default.yaml`` is used when none is named: common relations of which a thing
can have but one.
"""

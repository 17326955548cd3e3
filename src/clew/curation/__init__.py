"""What people do to the graph by hand: join and split names, add facts of their own.

``names`` keeps decisions about names and carries them out; ``given_facts`` reads facts that
somebody brings into documents, so that they have a source like all others.
"""

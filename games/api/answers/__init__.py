"""What the API answers, every field written out with its description: nothing else of a page gets out.

One file for each subject. The name of a class is its name in the schema.
"""

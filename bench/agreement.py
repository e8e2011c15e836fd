"""How far scores agree with reviewers: the predicted rating and the published scores, on papers of later years.

    python bench/agreement.py            the table, some minutes
    python bench/agreement.py --write    also fit the model that comes with Novum, and write it into the package

Every model is fitted to the papers of earlier years and measured on those of one later year. Papers are compared within
their venue and year. Beside each figure stands one referee against the mean of the others.
"""

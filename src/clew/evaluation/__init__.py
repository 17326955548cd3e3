"""Measuring: recall of passages, accuracy of answers, and whether a difference is one.

In the order of the work::

    datasets        questions with their corpora
    corpora         the same in harder forms; when a passage counts as found
    indexed         a corpus in a store, and what that took
    systems         methods and others by name; compared: plain ones; ablations: parts switched off
    measuring       systems over questions: recall, latency by stage (clocks), differences
    multihop        all of that as one benchmark; tables: its reports as tables
    fitting/        constants from tuning questions

    own_questions   a user's own questions; answered: asked and scored one by one
    answer_report   what they come to, and two runs compared; answer_table, answer_page: shown

    recall, answers, abstaining, bootstrap    plain functions over lists
    environment                   on what a figure was measured
"""

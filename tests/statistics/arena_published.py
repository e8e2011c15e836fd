"""Published figures of the Idea Arena (Chain of Ideas) and of DeepInnovator's comparisons, as numbers."""

from __future__ import annotations

import numpy as np

CRITERIA = ("novelty", "significance", "clarity", "feasibility", "effectiveness")
METHODS = (
    "Real Paper",
    "CoI Agent",
    "RAG",
    "GPT-Researcher",
    "AI-Researcher",
    "ResearchAgent",
    "SciAgent",
    "AI-Scientist",
)

TABLE_26 = {
    "human": np.array(
        [
            [1081, 1087, 1139, 1149, 1126, 1116],
            [1122, 1117, 1095, 1078, 1097, 1102],
            [1021, 1037, 1032, 1046, 1051, 1037],
            [1003, 1012, 1006, 1010, 1014, 1009],
            [1016, 986, 1021, 1002, 995, 1004],
            [980, 986, 1017, 994, 991, 994],
            [938, 949, 928, 929, 926, 934],
            [841, 826, 762, 793, 799, 804],
        ]
    ),
    "GPT-4o": np.array(
        [
            [1073, 1091, 1161, 1184, 1141, 1130],
            [1156, 1169, 1092, 1049, 1181, 1129],
            [888, 911, 985, 1040, 937, 952],
            [993, 1020, 1015, 1045, 1021, 1019],
            [1133, 1088, 1106, 1044, 1103, 1095],
            [1007, 1049, 1032, 957, 1038, 1017],
            [891, 857, 822, 840, 769, 836],
            [858, 815, 788, 841, 811, 822],
        ]
    ),
    "Gemini-1.5-Pro": np.array(
        [
            [1092, 1106, 1145, 1155, 1130, 1126],
            [1143, 1167, 1096, 1071, 1156, 1127],
            [899, 925, 980, 1008, 948, 952],
            [994, 1010, 1020, 1046, 1019, 1018],
            [1133, 1090, 1106, 1045, 1101, 1095],
            [993, 1020, 1019, 971, 1028, 1006],
            [890, 858, 820, 841, 770, 836],
            [855, 825, 813, 864, 847, 841],
        ]
    ),
    "Claude-3.5-Sonnet": np.array(
        [
            [1091, 1120, 1178, 1174, 1181, 1149],
            [1169, 1190, 1056, 995, 1188, 1120],
            [883, 912, 997, 1055, 918, 953],
            [985, 999, 1031, 1060, 1007, 1016],
            [1135, 1091, 1108, 1044, 1104, 1097],
            [1006, 1041, 1050, 942, 1034, 1015],
            [889, 855, 819, 841, 764, 834],
            [843, 792, 761, 889, 804, 818],
        ]
    ),
}
"""A row a method, as in `METHODS`; columns are `CRITERIA` and the average."""

TABLE_4 = {
    "GPT-4o": np.array(
        [
            [1100, 1122, 1090, 1103],
            [1029, 1096, 1043, 1056],
            [1022, 970, 1016, 1003],
            [960, 1020, 980, 987],
            [1001, 965, 992, 986],
            [888, 827, 879, 865],
        ]
    ),
    "human": np.array(
        [
            [1138, 1111, 1111, 1120],
            [1092, 1123, 1121, 1112],
            [1035, 1041, 1048, 1042],
            [988, 977, 971, 978],
            [939, 959, 964, 954],
            [809, 788, 785, 794],
        ]
    ),
}
"""Designs of experiments: feasibility, quality, clarity, and the average; six methods."""

TABLE_1 = ((70.7, 75.8, 78.2, 74.1, 75.6), 74.9)
"""Agreement of people and GPT-4o in percent, by criterion, and on average."""

TABLE_2 = {
    "without the chain": ((41, 39, 44, 49, 39), 42.4),
    "without future trends": ((40, 43, 51, 53, 44), 46.2),
    "without entities": ((46, 49, 42, 47, 43), 45.4),
}
"""Points of the variants in 50 matches, by criterion, and on average."""

EXPERTS = {
    ("law", "novelty"): ("0 9 3 1 0 69.2", "0 7 6 0 0 53.8"),
    ("law", "feasibility"): ("1 5 3 1 3 60.0", "0 4 7 1 1 33.3"),
    ("law", "effectiveness"): ("2 5 2 1 3 70.0", "1 4 3 3 2 45.5"),
    ("law", "detailedness"): ("7 3 2 1 0 76.9", "1 4 5 0 3 50.0"),
    ("education", "novelty"): ("3 9 2 1 0 80.0", "0 9 5 1 0 60.0"),
    ("education", "feasibility"): ("3 5 5 1 1 57.1", "0 0 7 3 5 0.0"),
    ("education", "effectiveness"): ("2 6 4 3 0 53.3", "0 0 5 4 6 0.0"),
    ("education", "detailedness"): ("1 8 3 0 3 75.0", "0 4 5 2 4 36.4"),
    ("biotech", "novelty"): ("3 8 1 0 2 91.7", "2 6 5 0 2 61.5"),
    ("biotech", "feasibility"): ("2 6 0 0 6 100.0", "0 5 3 5 2 38.5"),
    ("biotech", "effectiveness"): ("1 6 4 1 2 58.3", "2 5 2 4 2 53.8"),
    ("biotech", "detailedness"): ("6 4 1 0 3 90.9", "3 2 4 5 1 35.7"),
}
"""DeepInnovator, Table 2, against either model: much better, better, worse, much worse, both bad, percent won."""

PANEL_WIN_RATES = (
    "80.53 47.79 15.93 49.56 59.29 32.74 37.17",
    "87.61 23.01 18.58 11.50 10.62 19.47 10.62",
    "92.92 45.13 43.36 76.11 50.44 66.37 43.36",
    "93.81 59.29 68.14 44.25 61.06 91.15 45.13",
)
"""DeepInnovator, Table 1, in percent: of 113 ideas of the validation set."""

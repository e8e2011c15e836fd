"""Words that say nothing of a topic."""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """
    a about above across after again against all almost alone along already also although always among an and
    another any anything are around as at away back be became because become becomes been before behind being below
    besides best better between beyond both but by can cannot could did do does doing done down due during each
    either else enough etc even ever every everything except few first for from further get gets give given go goes
    had has have having he hence her here hers him his how however i if in indeed instead into is it its itself just
    kind last later least less let like likely made make makes making many may maybe me might more most mostly much
    must my near neither never next no nobody none nor not nothing now of off often on once one only onto or other
    others otherwise our out over own part particular per perhaps please put quite rather really regarding same say
    see seem seems several shall she should show shows since so some something sometimes still such take taken than
    that the their them themselves then there thereby therefore these they thing things this those though through
    throughout thus to together too toward towards two under unless until up upon us use used uses using usually
    various very via was way ways we well were what whatever when where whereas whether which while who whole whom
    whose why will with within without would yet you your

    aber alle als am an auch auf aus bei beim bis das dass dem den der des die diese dieser durch ein eine einem
    einen einer eines es für gegen hat haben ich ihr im ist kann können mit nach nicht noch nur ob oder ohne sich
    sie sind so sowie über um und unter vom von vor wann war was welche welcher wenn werden wer wie wird wo zu zum
    zur zwischen

    au aux avec ce ces cette chez comment comme dans de des du elle en entre est et être eux il ils je la le les
    leur leurs lors mais ne nous on ou où par pas peut plus pour pourquoi qu que quel quelle quels qui sa sans se
    ses si son sont sous sur un une vers vous

    al ante bajo como con contra cual cuando de del desde donde dos durante e el ella ellos en entre era es esta
    este está fue ha hasta la las lo los más mediante no o para pero por porque que qué se según ser si sin sobre
    son su sus también un una unos y

    agli ai al alla alle anche che chi ci come con da dal dalla degli dei del della delle di e è ed gli ha i il in
    la le lo ma nei nel nella non o per perché più quale quando se si sono su sul sulla tra un una uno

    à ao aos as às até com como da das de do dos e é em entre foi na nas no nos não o os ou para pela pelo por que
    se sem seu sua são um uma

    aan als bij dat de deze die dit door een en er het hoe in is met naar niet of om ook op over te tot uit van voor
    was wat wordt zijn

    att av de den det du ett för från hur i med mot och om på som till är vid

    и в во на с со по для от до из к ко о об что как это при не за или между

    以及 的 和 与 在 の と に を は が
    """.split()  # noqa: SIM905 - words are read more easily than a list of them
)
"""In lower case, of the languages in which most papers are written."""

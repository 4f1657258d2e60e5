/**
 * German passages, each with a question that says a compound of it in parts, or puts its words together, and with a
 * passage that has one of them, but no answer.
 */
export const COMPOUND_QUESTIONS: [passage: string, question: string, other: string][] = [
  [
    'Die Kündigungsfrist beträgt drei Monate zum Ende des Quartals.',
    'Welche Frist gilt für eine Kündigung?',
    'Eine Kündigung muss schriftlich in der Zentrale eingehen.',
  ],
  [
    'Der Wärter des Leuchtturms wohnt seit April im alten Zollhaus.',
    'Wo wohnt der Leuchtturmwärter?',
    'Wo der Bürgermeister wohnt, steht im Verzeichnis der Gemeinde.',
  ],
  [
    'Der Urlaubsantrag wird der Abteilung bis Ende März vorgelegt.',
    'Bis wann stellt man den Antrag auf Urlaub?',
    'Der Antrag auf Zuschuss zum Fahrrad liegt beim Pförtner.',
  ],
  [
    'Den Schlüssel des Lagers verwahrt die Schichtleitung im Tresor.',
    'Wer verwahrt den Lagerschlüssel?',
    'Die Kasse verwahrt Bargeld über Nacht in einem Fach.',
  ],
  [
    'Die Brennofentemperatur steigt um achtzig Grad in der Stunde.',
    'Wie schnell steigt die Temperatur im Brennofen?',
    'Im Brennofen steht die Ware auf drei Ebenen.',
  ],
  [
    'Karten für die Straßenbahn gibt es am Empfang.',
    'Wo bekommt man eine Karte der Bahn auf der Straße?',
    'Auf der Straße vor dem Haus bekommt man selten einen Platz.',
  ],
  [
    'Wird die Pumpe gewartet, so steht die Anlage am Montag still.',
    'Wann steht die Anlagenpumpe still?',
    'Wann die Mühle still steht, entscheidet der Müller.',
  ],
  [
    'Für das Protokoll der Sitzung sorgt, wer zuletzt in das Team kam.',
    'Wer sorgt für das Sitzungsprotokoll?',
    'Für Getränke sorgt die Küche im ersten Stock.',
  ],
]

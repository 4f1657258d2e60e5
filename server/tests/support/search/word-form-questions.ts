/**
 * Passages, each with a question that has its words in other forms, and with a passage that has one of them as it is asked, but no
 * answer.
 */
export const WORD_FORM_QUESTIONS: Record<string, [passage: string, question: string, other: string][]> = {
  german: [
    [
      'Der Mietvertrag endet drei Monate nach der schriftlichen Kündigung.',
      'Wie enden die Mietverträge?',
      'Mietverträge liegen im grünen Ordner neben der Tür.',
    ],
    [
      'Defekte Geräte werden von der Werkstatt im Untergeschoss repariert.',
      'Wer repariert ein defektes Gerät?',
      'Ein defektes Fenster zieht Kälte in den Raum.',
    ],
    [
      'Für den Ausflug braucht jedes Kind eine Trinkflasche und feste Schuhe.',
      'Was brauchen die Kinder auf Ausflügen?',
      'Kinder unter sechs Jahren fahren kostenlos.',
    ],
    [
      'Das Lager öffnet werktags um sieben und schließt um sechzehn Uhr.',
      'Wann werden die Läger geöffnet?',
      'Das Fenster wurde geöffnet, um zu lüften.',
    ],
    [
      'Rechnungen bezahlt die Buchhaltung innerhalb von vierzehn Tagen.',
      'Wer muss eine Rechnung bezahlen?',
      'Gäste bezahlen am Ausgang mit Karte.',
    ],
    [
      'Der Brennofen kühlt über Nacht ab, erst dann darf die Tür offen stehen.',
      'Wie lange kühlen die Brennöfen?',
      'Brennöfen stehen in der Halle hinter dem Hof.',
    ],
    [
      'Neue Mitarbeiter erhalten am ersten Tag einen Ausweis und einen Schlüssel.',
      'Was erhält ein neuer Mitarbeiter?',
      'Ein neuer Anstrich steht im Frühjahr an.',
    ],
    [
      'In den Gärten wachsen Apfelbäume, die jeden Winter gestutzt werden.',
      'Wann stutzt man den Apfelbaum?',
      'Der Friseur stutzt Bärte ohne Termin.',
    ],
  ],
  french: [
    [
      'Les factures impayées sont transmises au service juridique après deux rappels.',
      'Où transmettre une facture impayée ?',
      'Pour transmettre un message, appuyez sur la touche verte.',
    ],
    [
      'Le cheval mange du foin le matin et de l’avoine le soir.',
      'Que mangent les chevaux ?',
      'Les visiteurs mangent à la cantine à midi.',
    ],
    [
      'Chaque employé reçoit un badge personnel à son arrivée.',
      'Quel badge est remis aux employées ?',
      'Les clés sont remises au gardien le dimanche ; un reçu est remis.',
    ],
    [
      'Les lampes du phare tournent toutes les trente secondes.',
      'Comment tourne la lampe du phare ?',
      'La roue tourne lentement au fil de l’eau.',
    ],
    [
      'Le journal régional paraît le mardi et le vendredi.',
      'Quand paraissent les journaux régionaux ?',
      'Les trains régionaux partent de la voie deux.',
    ],
    [
      'Les locaux sont nettoyés chaque soir par une entreprise extérieure.',
      'Qui nettoie le local ?',
      'Le robot nettoie la piscine pendant la nuit.',
    ],
    [
      'La réparation des vélos coûte vingt euros de l’heure.',
      'Combien pour réparer un vélo ?',
      'Il est interdit de réparer les machines en marche.',
    ],
    [
      'Un dossier incomplet est renvoyé au demandeur.',
      'Où sont renvoyés les dossiers incomplets ?',
      'Les dossiers médicaux restent dix ans aux archives.',
    ],
  ],
  spanish: [
    [
      'El contrato de alquiler termina el último día de agosto.',
      '¿Cuándo terminan los contratos de alquiler?',
      'Los contratos firmados están en la carpeta azul.',
    ],
    [
      'Las reuniones del consejo empiezan a las nueve en punto.',
      '¿Cuándo es la reunión del consejo?',
      'La reunión familiar fue en la playa.',
    ],
    [
      'El horno nuevo calienta la sala en veinte minutos.',
      '¿Cómo calientan los hornos nuevos?',
      'Los zapatos nuevos aprietan un poco.',
    ],
    [
      'Los camiones averiados se reparan en el taller del puerto.',
      '¿Dónde reparar un camión averiado?',
      'Un camión cruza el puente cada hora.',
    ],
    [
      'Cada empleada recibe una tarjeta de acceso.',
      '¿Qué reciben los empleados?',
      'Los vecinos reciben el correo por la mañana.',
    ],
    ['El pez rojo vive en agua fría.', '¿Dónde viven los peces rojos?', 'Los tejados rojos se ven desde el mar.'],
    [
      'La biblioteca presta libros durante tres semanas.',
      '¿Cuánto está prestado un libro?',
      'El dinero prestado se devuelve con intereses.',
    ],
    [
      'Las ventanas del almacén se limpian en primavera.',
      '¿Cuándo limpiar la ventana?',
      'Para limpiar el pincel se usa agua tibia.',
    ],
  ],
  russian: [
    [
      'Договор аренды заканчивается в последний день августа.',
      'Когда заканчиваются договоры аренды?',
      'Договоры хранятся в синей папке.',
    ],
    [
      'Неисправные приборы ремонтирует мастерская на первом этаже.',
      'Где ремонтируют неисправный прибор?',
      'Неисправный светофор мигает жёлтым.',
    ],
    ['Новому сотруднику выдают пропуск и ключ.', 'Что выдают новым сотрудникам?', 'К новым домам проложили дорогу.'],
    [
      'Лампа маяка поворачивается каждые тридцать секунд.',
      'Как поворачиваются лампы маяков?',
      'Лампы в коридоре светят тускло.',
    ],
    [
      'Библиотека выдаёт книги на три недели.',
      'На сколько выдаётся книга в библиотеке?',
      'Книга лежит на подоконнике.',
    ],
    ['Счета оплачивает бухгалтерия в течение двух недель.', 'Кто оплачивал счёт?', 'Счёт в матче открыл нападающий.'],
    [
      'Печь остывает всю ночь, и только потом открывают дверцу.',
      'Сколько остывают печи?',
      'Печи белят перед праздником.',
    ],
    ['Яблони в саду обрезают каждую зиму.', 'Когда обрезать яблоню?', 'Обрезать провод разрешено только электрику.'],
  ],
}

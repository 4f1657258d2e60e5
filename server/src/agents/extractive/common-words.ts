/**
 * Terms of the 3000 most frequent words of English, the most frequent first, without stop words. Made by
 * tools/answers/common-words.ts from the words of GloVe 6B (Pennington, Socher, Manning 2014; public domain), which are
 * in this order.
 */
export const COMMON_WORDS = `
  said one new two first year peopl percent last govern time world three presid state million unit sinc citi made like
  nation day countri second compani group china four war back south american minist polic well includ team internat
  week offici still even high part told end former make billion work home school parti hous old later get anoth
  tuesday news long five call wednesday militari way use next monday thursday friday game take north secur season york
  public earli accord sever court say around foreign set polit market howev famili life general left good top
  universiti go number major known point six month dollar bank iraq member area found sunday place base among third
  took right local econom see best report kill held busi west own came law women power think servic children bush show
  help chief saturday system john support seri play offic follow meet expect late washington european leagu final add
  without british white histori man men becam want march case run money began open name trade center israel oil film
  win led east central air come chines town leader armi line never littl prime death least put forc past half june
  know feder french peac earlier capit great union near releas small depart everi health japan head ago night big cup
  elect region director talk program far today statement juli district born develop council close record along counti
  franc went spokesman plan financi april recent campaign becom troop whether lost music got isra need lead alreadi
  russia free hit inform away control within larg economi press agenc water die career deal attack side seven better
  less septemb clinton main due committe build confer club januari decis stock america given give often announc
  televis industri order young palestinian age start administr russian price round decemb human india defens ask total
  octob player bill import southern move fire popul rose novemb nuclear street taken media differ issu receiv
  secretari return colleg communiti eight despit level largest germani august chang church german station london
  research black stori europ sale polici visit northern lot across per current board footbal ministri worker vote book
  fell seen role student share iran process agreement quarter full match growth yet possibl western special interest
  behind strong england food period real author car term rate race korea enough site opposit keep futur island road
  outsid realli centuri democrat almost singl tri find album senior minut togeth congress index australia result hard
  hour land action higher field cut coach san execut februari product river face japanes provinc park commiss
  california father son educ villag energi shot short africa key red associ averag pay exchang eu someth gave georg
  victori low thing pakistan post social continu ever look chairman job soldier abl parliament front problem privat
  lower list built effort mile radio live form david african increas sent fourth alway king tax taiwan britain titl
  middl global wife posit locat clear ahead iraqi english violenc goal project border bodi soon crisi divis serv tour
  hospit kong test hong technolog believ organiz publish weapon agre nine summer republican act texa cours senat medic
  reach star investor care sign art provid presidenti gold obama morn dead event previous cost instead canada band
  daili avail drug invest michael civil woman train appear involv indian similar situat los fight mark trial hold
  australian thought studi fall mother met relat anti song popular tv ground ii newspap staff saw hand hope oper
  pressur eastern legal asia budget consid love wrote stop charg aid manag brought decid fail network gas turn fact
  vice ca mexico especi afghanistan common space loss justic thousand jame rather fund republ accus score championship
  exampl biggest perform sport let allow mean leav robert person light arrest either offer battl class evid societi
  stage construct various sold independ kind airport paul judg internet movement room origin angel itali data noth sea
  bring annual beij present remain nato florida comput contract coast creat demand islam beat analyst interview child
  probabl spent asian cooper investig video yen bad describ toward written throughout establish mission buy grow green
  forward competit poor latest question prison feel attent firm injur governor movi rang cross track difficult produc
  wall rebel incom chanc speci finish rise spain join italian languag rest serious pari tournament insid schedul
  immedi brown success resid meanwhil net hall olymp deputi heart champion award version grand institut step rule
  labor summit sometim addit rais william longer joint ball begin sure stay safeti worth korean arab friend anyth
  atlanta caus sourc arm cent claim heavi note parent spend particular aircraft whole risk cannot matter scienc access
  boston condit detail coalit compar lee break turkey daughter natur museum strike style paid rock view usual spanish
  royal travel smith chicago arriv hundr respons jone potenti valu idea thoma profession domest credit gaza marri
  launch web muslim everyth weekend camp quick financ eventu measur afp blue richard readi plant design certain voter
  modern fan commerci bid constitut drop brother canadian drive negoti affair signific bomb warn religi figur victim
  activ experi attorney standard propos intellig hotel magazin expert quot baghdad carri feet candid fifth highest
  lake employe sell pacif reason flight squar overal pass focus bay dlrs date letter wide effect phone attempt profit
  zealand estim tradit size practic doubl professor concern refus sector review diseas kept terror onlin speech peter
  cultur reform charl conflict limit materi trip properti paper threat seek confirm plane rout complet jewish someon
  hill ireland taliban huge johnson mayor husband mass premier soviet cover coupl non mail crime moscow brazil kilomet
  stand seem felt separ amid stadium singapor speak leadership emergenc declin treatment cabinet tell straight tokyo
  winner ban session progress ship appoint word terrorist christian sens milit regular requir lawyer debt guard wound
  assembl express charact pro fuel martin suprem broke everyon actual equip deni featur approv greater port ethnic
  status primari amount ran debat model decad individu festiv insur goe impact urg heard centr illeg indonesia damag
  messag basebal tie true challeng prevent file captain entir blood territori valley conserv van earn protect read
  foundat search discuss perhap journal murder address deep settlement simpli nearbi relationship cash alon hama
  target lack consum direct twice self beach zone scene communist afternoon necessari navi qualiti sound spring miss
  crimin speed confid beyond softwar democraci francisco section basi knew suicid resolut gone lose account georgia
  god command euro cathol opportun resourc writer anyon send suffer alleg allianc host declar injuri type environ
  protest suggest headquart avoid improv citizen attend currenc appeal older vietnam seat happen thus incid ap floor
  approach mike histor era gain bit tough traffic inflat egypt telephon moment winter suspect debut fast boy worst km
  railway mountain store famous tom patient reserv weather thailand greek critic hot lebanon channel census femal
  vehicl spread aim freedom medal saddam bridg repres saudi co suppli cancer turkish write revenu fear abil retir
  custom sun gulf virginia corpor introduc academi survey easi choic mind hear reduc replac nativ assist crowd complex
  quit poland enter dutch crew fine pound environment subject jersey kosovo ten draw bus yard voic degre watch ice
  legisl collect presenc shown reject els rich influenc soccer shoot arafat draft evening sex grew afghan editor rival
  strategi girl jordan happi giant save jackson wing prosecutor identifi larger articl option sri sought doctor gmt
  rural fellow sanction bought smaller contribut owner secret princ treati cast civilian basketbal fair interior henri
  lawmak prepar malaysia wrong serb tabl bureau spokeswoman commit ralli ambassador spoke ensur kid document bosnia
  rice super carolina initi relief yuan earth poll bc loui corrupt pictur storm irish refuge defeat spot bond embassi
  swiss request estat trust ceremoni guy fulli occur kingdom iranian bob accept diplomat cold facil struck discov
  contact regim airlin youth safe penalti transport marriag mayb highway door threaten silver passeng scott rescu
  appar export failur specif fresh card sixth understand panel latin refer item benefit partner communic broadcast
  caught pretti driver steve capac fed box davi prize boost ford episod climat destroy bosnian roman via conduct imag
  accid mari block heat push agent joseph massiv structur normal worldwid advanc advantag convent southeast respect
  joe farm pennsylvania bowl ohio prior houston novel cox asset sister extra crash basic slight recoveri jerusalem
  studio jim kim actor gun meter intend link offens technic ed numer loan syria oppos sweden argentina promis
  entertain uk slow audienc captur microsoft mccain queen forest toni generat pick journalist dozen bar frank oversea
  volum disput personnel combat except combin missil golf packag admit affect extend hurt eye minor background deficit
  stood fort engin artist chris meant fox greec mexican wait cell fish scale ali solut none approxim unless convict
  philippin strip parliamentari tenni simpl foot digit scientist stone miami steel cricket promot varieti opinion
  answer internal task massachusett liber guilti strength determin onto christma jack adopt gore physic page alli
  maintain cuba troubl mix xinhua philadelphia defenc arizona divid shanghai inning congression edg window pope farmer
  upper plot sexual mid singer urban librari leg babi northwest dark netherland crude neither pull theater remov
  commission immigr michigan plus fought kansa danc suspend marin heavili junior learn perman thai code unabl surfac
  split jail hollywood chemic danger poverti agricultur distanc kennedi rain promin commerc bin nigeria row visitor
  switzerland czech theori hussein therefor broken male coverag squad pakistani holiday master exist fli abu lie
  expans fighter rare anniversari medicin stabil atlant hockey blame blair machin ancient insist jose politician grant
  piec rank detroit lord electr mobil younger check boat cabl alexand statist wild honor walk closer stake bottom
  classic jean disast usa transfer mine argu neighborhood deleg strateg scotland easili pace treasuri golden urgent
  zimbabw juri drew colorado fbi seventh explos sentenc fiscal gay wit blast metal count ukrain anim clean contain
  egyptian seiz qaida scientif abus select reveal serbia tech branch miller speaker percentag tourism lanka brief chen
  sydney columbia surgeri dialogu consecut madrid analysi ton municip unemploy provinci taylor wind color altern
  knowledg screen edit toll theatr client pilot berlin enforc purchas newli dow electron howard wood wale avenu abroad
  teacher balanc oppon detain memori downtown revolut toronto distribut violent brand realiti palac fashion suit
  connect broad favor mainland sharon acknowledg restaur empir advertis campus weight seattl websit remark ocean negat
  pop doubt pair ventur drawn myanmar forum truck shiit veteran duti everybodi daniel user northeast anonym sort
  corner greatest birth overnight templ ex auto polish reaction perfect sudan rome core element lewi manufactur
  activist andrew bird unlik forecast garden indic austria snow elsewher retail repeat invas struggl nfl length tree
  flu indonesian wilson surpris stephen ben sharp resist santa photo kenya scandal creation delay holi typic founder
  whatev wave household brazilian domin weak dalla drama destruct st tourist sir edward fill li jew favorit rugbi
  extrem treat faith rememb shut humanitarian hurrican regist surround formal apart factori putin assault eighth
  defend fled fraud southwest maker cite virus powel entri truth inde prove otherwis deliv output pentagon wear saint
  wine deliveri colombia content diego wors yes milan arabia acquir controversi notabl impos expand mount collaps
  brian ladi swedish minnesota begun exact compet membership elector purpos multipl agenda satellit resort chosen flag
  nba naval trim academ path norway motor text religion primarili opera grade suppos patrick corp comedi yellow kevin
  settl grown glass croatia chain shop yesterday dealer invit recogn lebanes frequent hors dismiss bishop display
  achiev fleet manchest buri partnership illinoi updat actress categori crucial driven conclud dream abba lay pain
  bilater yeltsin fun iron gm neighbor ultim appli netanyahu bell programm coup nationwid bangladesh laden expens
  legislatur hole dog enemi ring yugoslavia kerri tower portion pre spirit laid gather stress unknown contest
  infrastructur manhattan phase brain ad exercis behavior labour worri antonio maximum princip tehran escap asid
  monetari belgium aliv recess flow salt flat theme khan concept widespread township stronger sit employ occupi mm
  predict ident pledg uniqu label choos portug ray athlet hair welfar equal benchmark withdraw shape concert rocket
  lawsuit circuit surviv emerg mention bronz bear mutual factor venezuela wake solid motion hire ninth milosev
  platform iii resum dole alongsid yanke castl median ah nice vast abc rail ranger coal bbc particip regul nbc pitch
  chart carlo explain aviat jump casualti profil exhibit bigger payment subsequ peak clash earthquak ill crown tension
  morgan thank wang fit temporari helicopt function vision resign skill welcom moham tim reput kuwait recal fame
  obtain referendum catch inch latter fewer nomin imposs teach merger tight tobacco carter trader abandon medium drove
  allen lowest sugar resolv chamber awar hezbollah orang oh ongo juan disney respond rough envoy biographi advis ahm
  economist palm harri pool unusu elizabeth inspir sat contemporari boe moder deadlin tank instanc jet column dedic
  recov advic method dean striker anderson signal applic shift restrict testimoni jeff touch christoph sharehold
  organis athen sam alan kashmir devic clark recognit maria jazz trillion fallen threw cbs trend gross dri literatur
  nobodi appl tini assign colleagu counter romania roll gordon iowa sox healthi cia experienc gap minimum warner
  contrast adult blow ticket uniti eric consist taught cleveland stabl dinner duke harvard raid regard easier soft
  virtual ride pm bankruptci scottish yield serbian engag gate discoveri equiti kick parish secondari beauti occup
  chavez simon guid throw barack moon sharpli denmark cook syrian extens lift dramat amend cuban insurg angri barrel
  appropri seed formula observ radic obvious denver vow compos qualifi guest coffe austin ceas capabl specul socialist
  handl las annan briefli gari fix oldest prioriti cool racial aboard heritag knee map deploy wish complain patrol
  tamil familiar abort interim graduat carrier reduct custodi format prais chose talent stuff taipei circumst chile
  rapid arena desir sky cyprus seoul prompt ryan remot aggress trail solo gop unchang fals tropic creek compens
  anthoni camera outstand cd tennesse cap sensit concret sponsor warm def stewart oklahoma fee quak coastal nelson
  monitor encourag tiger abdullah pittsburgh caribbean portugues emperor orlean halt peninsula streak globe eas
  maryland upset strengthen playoff norwegian preliminari universal deepli behalf intens besid phoenix sunni accompani
  mental tribun qaeda restor probe delta eat compromis hiv outcom enterpris wast complaint stanley ballot copi alert
  cargo indiana hero inspector arsenal survivor barcelona gunmen advisori imf mortgag succeed detent faster substanti
  transit pan broader liverpool victoria quarterback singh baltimor underground gang unclear scheme ceo absenc simpson
  recept militia congo flood sudden enjoy flew paint genus sweet entitl condemn railroad essenti roger defin desert
  proper departur thompson composit quiet equival jason fat beaten cape extern editori plastic kelli kurdish narrow
  string nepal inter robinson andi bound prosecut boss moor revolutionari gasolin margin tampa judici lieuten
  telecommun somewhat comprehens kabul alex magic funer chechnya steadi missouri connecticut meat midfield charter
  finland musharraf guitar skin bed documentari pleas haiti larri teen calm louisiana chair densiti principl
  chancellor gray licens outbreak chelsea architectur chip inquiri jakarta hungari fate pack arthur soil brussel
  oregon recommend guerrilla convert slowli mistak philip commonwealth atmospher donald metropolitan galleri mosqu
  kentucki walker shell emot empti pursu semi chapter chirac descript adam hang fax nazi journey successor vladimir
  definit smoke delhi homeland somalia anger renew shoulder toyota correct walter fiction rio yugoslav convinc
  hamilton absolut swim ownership bruce danish tribal instal upcom manner implement viewer hunt hostag temperatur tend
  compound oscar rush jesus albanian notic consequ cloth tomorrow dougla austrian dave moral circl zero extent longtim
  ordinari argument montreal tripl alcohol comfort guarante malaysian belgrad matt burn puerto philosophi cemeteri
  mississippi asean uganda roof vital counterpart infantri jerri atom benjamin peru creativ artilleri belgian root
  acquisit turnov prospect orchestra bloc plenti gene suspens utah planet outlook error chariti vienna sing uranium
  regiment lincoln spark campbel trophi reconstruct abdul cambodia innoc elit freed reflect murray alabama pact shore
  cycl consumpt consensus fc bright gift graham carbon feed fruit ross broadway tape drink stretch hampshir ward shock
  lunch wisconsin literari crackdown birthday dick climb wealth jacqu cairo mouth nasa spoken ontario salari milk beer
  melbourn dvd prix passag petroleum soul laboratori jan constant attitud phil assess runner peacekeep barri eve ma
  metr geneva renam chase geographi lane orthodox nasdaq residenti realiz wage wto assassin rooki entranc kilometr lui
  bare hu height morri princess permiss comic emiss darfur disappoint counsel liu castro momentum procedur headlin
  coloni afford legaci franchis fifa celebr wright depress techniqu foster capitol wonder surg proud tackl spiritu
  denni sleep proof sustain chicken faculti croatian russel mitchel franci colonel acr influenti hispan violat priest
  tool takeov wed dna explod albert tea nhl carl vega vatican gdp submit pyongyang beef tel consider stem introduct
  excel brigad bangkok pend depend ee anybodi difficulti exit googl verdict convers plate evil canal harder elig tast
  somebodi mainten symbol attract attach flower tonight laker par nigerian biolog intent pension luxuri possess mandat
  stick aspect rear steven attribut overcom summari storag volunt shuttl ncaa businessman libya brooklyn framework
  vessel punish smart worldsourc baker belief solv gradual imperi tall tone wildlif fundament squadron twenti ron
  lawrenc settler wayn modest rwanda jimmi forget thrown longest rodriguez sentiment pattern demonstr bomber slip
  auction thin occasion nick sick separatist graf perri goalkeep conclus nobel buyer stanc architect expos object sec
  soni grave bitter elimin commentari oust jiang tunnel bulgaria sovereignti oxford elder pipelin inner rick bench
  chechen ken sarajevo wu hillari manila twin isol vietnames mere enorm wealthi competitor hidden argentin fastest roy
  cruis ski tibet pollut impress revis kidnap buse nevertheless surplus poetri friendship subsidiari infect ann
  anywher exil terri vulner neck harbor slam stroke util intervent alaska trigger print costa grass unrest tortur
  photograph warren swept chrysler greg amateur dodger optimist suburb dress barbara valuabl conspiraci midnight
  unpreced advoc bloodi consult dawn craig scholar assum afraid sierra childhood lineup tragedi pat repair complic
  plead fred discrimin bass mohammad opec dam medicar guinea ukrainian garcia rape zhang marshal rebound cancel truli
  touchdown stolen hip boom solar pitcher context termin colin extraordinari munich unfortun corn cheney musician
  reagan detaine uh depth superior traffick harm legend nationalist exposur amnesti fernando karzai sarkozi sa bag
  matthew lend fatah reader imagin raw strait billi copyright automat jay arkansa ian buffalo testifi cathedr trap
  visibl cnn cambridg parad genocid instrument elementari piano effici bobbi protein landmark suffici northeastern
`

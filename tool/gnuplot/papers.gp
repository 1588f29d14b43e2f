# papers.gp - what the papers call the methods: called(NAME) of a curve or a panel, whose first
# word is a method's name here. PAPERS has the pairs; a picture may have its own.
PAPERS = "eln ELN tln TLN prk PRK mcg MCG new3 NEW3 liemid LIEMID[EA] vlv VLV rattle RATTLE \
    rkmk4 RKMK4 rkmkgl4 RKMKGL4 akw AKW bbtrap BBTRAP swc1 SWC1 trap TRAP imid IMID \
    trapm TRAPM imidm IMIDM rotation 'Rotation elliptic' quaternion 'Quaternion elliptic' \
    rotation_gauss6 'Rotation G6' rotation_gauss8 'Rotation G8' \
    rotation_gauss10 'Rotation G10' gauss6 'Quaternion G6' gauss8 'Quaternion G8' \
    gauss10 'Quaternion G10' verlet+exact V2+RB verlet+mr V2+McL2 verlet_drift+exact V2+RB \
    verlet_drift+mr V2+McL2 s4_6+exact S4_6+RB s4_6+mr S4_6+McL2 s6_10+exact S6_10+RB \
    s6_10+mr S6_10+McL2 srkn4_6b+exact SRKN4_6b+RB srkn4_6b+mr SRKN4_6b+McL2 \
    srkn6_14a+exact SRKN6_14a+RB srkn6_14a+mr SRKN6_14a+McL2"
paired(i, name) = i > words(PAPERS) ? name : word(PAPERS, i) eq name ? word(PAPERS, i + 1) \
    : paired(i + 2, name)
first_word(name) = strstrt(name, ' ') == 0 ? name : name[1:strstrt(name, ' ') - 1]
called(name) = paired(1, first_word(name)).name[strlen(first_word(name)) + 1:*]

// Squares and streets of a few cities, with about where they are: what everybody can read on a map, so that a simulated network looks like one.

export interface Place {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
}

export interface City {
  readonly name: string
  readonly country: string
  readonly timeZone: string
  /** Begins the ids of its charge points. */
  readonly prefix: string
  /** Has many charge points that share a grid connection. */
  readonly carPark: Place
  /** Has many charge points that share a network connection. */
  readonly airport: Place
  readonly places: readonly Place[]
}

function places(lines: string): readonly Place[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [, name, latitude, longitude] = /^(.+) (-?[\d.]+) (-?[\d.]+)$/.exec(line.trim()) as RegExpExecArray
      return { name: name as string, latitude: Number(latitude), longitude: Number(longitude) }
    })
}

const place = (name: string, latitude: number, longitude: number): Place => ({ name, latitude, longitude })

export const cities = {
  berlin: {
    name: 'Berlin',
    country: 'DE',
    timeZone: 'Europe/Berlin',
    prefix: 'BER-',
    carPark: place('Olympischer Platz', 52.5155, 13.2456),
    airport: place('Willy-Brandt-Platz', 52.3648, 13.5093),
    places: places(`
      Alexanderplatz 52.5219 13.4133
      Potsdamer Platz 52.5096 13.3761
      Hackescher Markt 52.5226 13.4023
      Kurfürstendamm 52.5013 13.3175
      Savignyplatz 52.5055 13.3192
      Hardenbergplatz 52.5070 13.3326
      Wittenbergplatz 52.5018 13.3428
      Nollendorfplatz 52.4996 13.3541
      Hermannplatz 52.4867 13.4243
      Kottbusser Tor 52.4990 13.4181
      Wiener Straße 52.4990 13.4275
      Schlesische Straße 52.5010 13.4415
      Warschauer Straße 52.5052 13.4492
      Koppenstraße 52.5103 13.4347
      Frankfurter Tor 52.5157 13.4542
      Boxhagener Platz 52.5107 13.4600
      Sonntagstraße 52.5032 13.4670
      Puschkinallee 52.4939 13.4619
      Rosa-Luxemburg-Platz 52.5282 13.4103
      Rosenthaler Platz 52.5297 13.4014
      Kollwitzplatz 52.5360 13.4170
      Eberswalder Straße 52.5412 13.4120
      Schönhauser Allee 52.5494 13.4147
      Florastraße 52.5660 13.4030
      Badstraße 52.5487 13.3880
      Leopoldplatz 52.5463 13.3594
      Seestraße 52.5505 13.3520
      Turmstraße 52.5257 13.3416
      Europaplatz 52.5257 13.3690
      Invalidenstraße 52.5297 13.3790
      Oranienburger Straße 52.5251 13.3935
      Friedrichstraße 52.5203 13.3870
      Gendarmenmarkt 52.5137 13.3927
      Unter den Linden 52.5170 13.3889
      Pariser Platz 52.5163 13.3789
      Kochstraße 52.5066 13.3905
      Mehringdamm 52.4937 13.3881
      Platz der Luftbrücke 52.4848 13.3860
      Tempelhofer Damm 52.4660 13.3855
      Bergmannstraße 52.4890 13.3935
      Richardplatz 52.4740 13.4440
      Karl-Marx-Straße 52.4770 13.4390
      Hildegard-Knef-Platz 52.4757 13.3653
      Innsbrucker Platz 52.4783 13.3430
      John-F.-Kennedy-Platz 52.4849 13.3440
      Bayerischer Platz 52.4886 13.3402
      Schloßstraße 52.4567 13.3215
      Teltower Damm 52.4330 13.2590
      Kronprinzessinnenweg 52.4214 13.1790
      Theodor-Heuss-Platz 52.5096 13.2729
      Messedamm 52.5066 13.2793
      Richard-Wagner-Platz 52.5172 13.3070
      Ernst-Reuter-Platz 52.5116 13.3222
      Carl-Schurz-Straße 52.5370 13.2050
      Gorkistraße 52.5890 13.2840
      Antonplatz 52.5497 13.4540
      Landsberger Allee 52.5290 13.4560
      Frankfurter Allee 52.5107 13.4970
      Rudower Chaussee 52.4330 13.5330
      Marzahner Promenade 52.5440 13.5430
      Bernauer Straße 52.5400 13.4020
    `),
  },
  hamburg: {
    name: 'Hamburg',
    country: 'DE',
    timeZone: 'Europe/Berlin',
    prefix: 'HAM-',
    carPark: place('Sylvesterallee', 53.5871, 9.8986),
    airport: place('Flughafenstraße', 53.6304, 9.9882),
    places: places(`
      Rathausmarkt 53.5503 9.9930
      Jungfernstieg 53.5530 9.9930
      Gänsemarkt 53.5561 9.9889
      Steindamm 53.5546 10.0130
      Reeperbahn 53.5496 9.9600
      Große Elbstraße 53.5450 9.9430
      Neuer Kamp 53.5570 9.9690
      Schulterblatt 53.5620 9.9610
      Eppendorfer Baum 53.5830 9.9880
      Mühlenkamp 53.5800 10.0130
      Osterstraße 53.5760 9.9520
      Ottenser Hauptstraße 53.5520 9.9290
      Am Sandtorkai 53.5430 9.9880
      Überseeallee 53.5406 10.0000
      Wandsbeker Marktstraße 53.5720 10.0680
      Fuhlsbüttler Straße 53.6010 10.0400
      Lüneburger Straße 53.4620 9.9800
      Sachsentor 53.4900 10.2120
    `),
  },
  munich: {
    name: 'Munich',
    country: 'DE',
    timeZone: 'Europe/Berlin',
    prefix: 'MUC-',
    carPark: place('Werner-Heisenberg-Allee', 48.2188, 11.6247),
    airport: place('Terminalstraße', 48.3538, 11.7861),
    places: places(`
      Marienplatz 48.1374 11.5755
      Odeonsplatz 48.1426 11.5773
      Karlsplatz 48.1392 11.5655
      Sendlinger Tor 48.1340 11.5670
      Gärtnerplatz 48.1318 11.5760
      Max-Weber-Platz 48.1357 11.5980
      Weißenburger Platz 48.1290 11.5970
      Münchner Freiheit 48.1620 11.5860
      Leopoldstraße 48.1560 11.5840
      Rotkreuzplatz 48.1530 11.5330
      Goetheplatz 48.1290 11.5580
      Harras 48.1170 11.5360
      Wettersteinplatz 48.1080 11.5770
      Olympiaplatz 48.1740 11.5560
      Petuelring 48.1790 11.5720
      Orleansplatz 48.1280 11.6040
      Willy-Brandt-Platz 48.1340 11.6910
      Pasinger Bahnhofsplatz 48.1500 11.4610
    `),
  },
  vienna: {
    name: 'Vienna',
    country: 'AT',
    timeZone: 'Europe/Vienna',
    prefix: 'VIE-',
    carPark: place('Meiereistraße', 48.2071, 16.4205),
    airport: place('Wiener Straße, Schwechat', 48.12, 16.561),
    places: places(`
      Stephansplatz 48.2086 16.3729
      Schwedenplatz 48.2115 16.3780
      Karlsplatz 48.2000 16.3690
      Naschmarkt 48.1985 16.3640
      Praterstern 48.2185 16.3920
      Schottentor 48.2140 16.3620
      Josefstädter Straße 48.2110 16.3470
      Mariahilfer Straße 48.1980 16.3500
      Westbahnhof 48.1967 16.3380
      Belvedere 48.1870 16.3800
      Hauptbahnhof 48.1850 16.3760
      Reumannplatz 48.1745 16.3780
      Meidlinger Hauptstraße 48.1780 16.3310
      Hietzinger Hauptstraße 48.1870 16.2980
      Nußdorfer Straße 48.2290 16.3530
      Floridsdorfer Spitz 48.2560 16.4000
      Kagraner Platz 48.2500 16.4430
      Seestadtstraße 48.2260 16.5080
    `),
  },
  amsterdam: {
    name: 'Amsterdam',
    country: 'NL',
    timeZone: 'Europe/Amsterdam',
    prefix: 'AMS-',
    carPark: place('Arena Boulevard', 52.3136, 4.942),
    airport: place('Aankomstpassage', 52.3096, 4.763),
    places: places(`
      Dam 52.3731 4.8926
      Leidseplein 52.3642 4.8828
      Rembrandtplein 52.3660 4.8966
      Museumplein 52.3580 4.8810
      Nieuwmarkt 52.3720 4.9003
      Waterlooplein 52.3680 4.9010
      Albert Cuypstraat 52.3560 4.8940
      Javastraat 52.3630 4.9380
      Haarlemmerplein 52.3850 4.8830
      Westerstraat 52.3780 4.8840
      Overtoom 52.3620 4.8680
      Kinkerstraat 52.3670 4.8670
      Mercatorplein 52.3710 4.8500
      Beethovenstraat 52.3480 4.8760
      Zuidplein 52.3390 4.8730
      Middenweg 52.3520 4.9330
      Buikslotermeerplein 52.3990 4.9360
      Osdorpplein 52.3590 4.8060
    `),
  },
} as const satisfies Readonly<Record<string, City>>

export type CityName = keyof typeof cities

// The patterns of stilted English that regular expressions find, with the plain way to write each. A blank in a pattern
// stands for one or more.

interface EnglishPattern {
  readonly name: string
  readonly instead: string
  readonly pattern: RegExp
}

/** Where a sentence, a clause after a colon or semicolon, or a text begins. */
const opening = '(?<=(?:^|[.:;!?|(])\\s*)'
const participle =
  '(?:[a-z]+ed|told|said|asked|sent|kept|left|made|read|written|known|seen|taken|given|found|begun|done|held|lost|shown|set|put|meant|paid|chosen|built)'
const machine =
  '(?:actors?|alerts?|answers?|bench|builds?|clocks?|commands?|consoles?|charge points?|events?|fields?|files?|fronts?|it|lines?|lists?|maps?|messages?|nothing|nobody|somebody|pages?|partners?|pipelines?|processes|process|programs?|queues?|records?|responses?|routes?|rows?|servers?|services?|settings?|shards?|simulators?|stores?|surfaces?|tables?|tests?|threads?|tools?)'

const pattern = (name: string, instead: string, source: string): EnglishPattern => ({
  name,
  instead,
  pattern: new RegExp(source.replaceAll(' ', ' +'), 'g'),
})

export const englishPatterns: readonly EnglishPattern[] = [
  pattern(
    'headless clause',
    'the noun',
    `${opening}(?:What|Who) (?!(?:if|about|for)\\b)[a-z]+(?=[^?.|]*(?:[.|:;]|$))` +
      `|\\bwhat (?:is|was|are|were|has been|have been|had been) ${participle}\\b` +
      '|\\b(?:of|for|with|by|from|than|beside|except) (?:what|who) (?:is|was|are|were|has|had|have|can|could|must|may|it|they|[a-z]+s)\\b' +
      '|\\b(?:those|the ones?|these) (?:that|which|who|whose|whom)\\b',
  ),
  pattern('leading "Of"', '"If" or "For"', `${opening}[Oo]f (?!course\\b|which\\b|whom\\b)[a-z\`][^.;:|]{0,120},`),
  pattern(
    "people's verb for a machine",
    'send, report, store, need, accept',
    `\\b${machine} (?:tells?|told|says?|said|knows?|knew|wants?|wanted|believes?|believed|thinks?|thought|learns?|learned|learnt|hears?|heard|forgets?|forgot)\\b`,
  ),
  pattern(
    'passive without an actor',
    'the active verb with its actor',
    '\\b(?:is|are|was|were|be|been|being) (?:told|asked|said|heard|looked (?:at)|spoken to)\\b|\\b(?:has|have|had) come to\\b',
  ),
  pattern(
    'avoided term',
    'retry, cache, quarantine, poll',
    '\\b(?:sent|asked|tried|told|said|fetched|delivered) again\\b|\\b(?:keep|keeps|kept) for (?:a while|some time|a time)\\b' +
      '|\\b(?:leaves?|left) alone\\b|\\blook(?:s|ed)? (?:at )?(?:again|once more)\\b|\\blook(?:s|ed) at\\b',
  ),
  pattern(
    'old-fashioned word',
    'next to, again, anyone who, while it runs',
    '\\b(?:[Bb]eside|[Aa]new|[Ww]hoever|[Ww]homever|[Ww]hosoever)\\b' +
      '|\\b[Aa]s long as (?:it|they|that|this|there|nothing|nobody|somebody|he|she|one)\\b',
  ),
  pattern(
    'double negation',
    'the plain fact',
    '\\b(?:[Nn]othing|[Nn]one|[Nn]obody|[Nn]o one|[Nn]o other) but\\b|\\b(?:[Nn]ot|[Nn]ever) without\\b|\\b[Nn]ot un[a-z]+\\b',
  ),
]

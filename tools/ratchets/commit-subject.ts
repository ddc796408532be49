// The rules for the first line of a commit: imperative, capitalised, at most 72 characters, no full stop. Whether a word is a verb
// is a guess from its ending and from lists.

const longestCharacters = 72

/** Words that open a statement or a noun phrase. */
const openers = new Set(
  `A An The This That These Those It Its They Their There Here He She We You Your I My Our Who Whose What Which When
  Where While Why How If As At After Before By For From In Of On Or And But So With Without To Since Because Once Until Only
  Also All Any Both Each Either Every Few Many More Most Much Neither No Nobody None Nothing Not One Two Other Others Same
  Several Some Somebody Something Such Another Now Then Today New Old Can Could May Might Must Shall Should Will Would Is Are
  Was Were Has Had Does Did Been Be Better First Last Next Again`.split(/\s+/),
)
/** Past forms that no ending shows. */
const pastForms = new Set(
  `Made Wrote Kept Sent Told Said Took Gave Found Went Came Began Broke Built Brought Chose Held Left Lost Met Paid Ran Sold
  Shown Stood Thought Understood Became Knew Got`.split(/\s+/),
)
/** Base forms that end like another form. */
const baseForms = new Set(
  `Bring String Ring Ping Sing Swing Embed Need Feed Speed Seed Proceed Exceed Succeed Shed Weed Bleed Breed Focus Bias Alias
  Canvas Apply Reply Supply Rely Multiply Comply Imply Tally Rally Mention Partition Position Condition Transition Caption
  Harness Witness`.split(/\s+/),
)
const otherForms: readonly (readonly [RegExp, string])[] = [
  [/ing$/, 'ends in -ing'],
  [/ed$/, 'is a past form'],
  [/[^s]s$/, 'is a plural or a third person'],
  [/ly$/, 'is an adverb'],
  [/(?:tion|ness|ity)$/, 'is a noun'],
]

/** Why a word cannot be an imperative, or undefined. */
function wrongVerb(word: string): string | undefined {
  if (baseForms.has(word)) return undefined
  if (openers.has(word)) return 'is no verb'
  if (pastForms.has(word)) return 'is a past form'
  return otherForms.find(([pattern]) => pattern.test(word))?.[1]
}

/** The faults of a subject. A subject that Git writes for a revert is accepted. */
export function subjectFaults(subject: string): string[] {
  if (/^(?:Revert|Reapply) "/.test(subject)) return []
  const faults: string[] = []
  const length = [...subject].length
  if (length > longestCharacters) faults.push(`it has ${length} characters, and ${longestCharacters} are the limit`)
  if (subject.endsWith('.')) faults.push('it ends with a full stop')
  const [word = ''] = subject.split(/[ ,]/)
  const wrong = wrongVerb(word)
  if (!/^[A-Z][a-z]+(?:-[a-z]+)*$/.test(word)) faults.push(`"${word}" is no capitalised word`)
  else if (wrong !== undefined) faults.push(`"${word}" ${wrong}; begin with an imperative`)
  return faults
}

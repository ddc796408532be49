// JSON as it was sent or received, to be read and copied.

import './json-view.css'

export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <pre class="json-view mono" tabIndex={0} role="region" aria-label={label}>
      {seenText(JSON.stringify(value, null, 2))}
    </pre>
  )
}

// Of Unicode 16.0, 23.3: they turn the direction of what follows, or are not seen.
const unseen = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** JSON in which every character is where it was sent, and is seen: what would not be stands as its escape. */
export function seenText(json: string): string {
  return json.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

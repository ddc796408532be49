// The question to whoever leaves a page on which something is not saved.

import { leaving } from '../client/unsaved.js'
import { Ask } from '../parts/ask.js'

export function Leave() {
  const { value } = leaving
  if (value === undefined) return null
  return (
    <Ask
      title="Leave without saving?"
      does="Leave"
      danger
      close={() => {
        leaving.value = undefined
      }}
      run={async () => value.go()}
    >
      <p>What you have changed on this page is not saved, and is lost when you leave.</p>
    </Ask>
  )
}

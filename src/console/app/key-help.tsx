// What keys do where one is now.

import { bindings } from '../client/keys.js'
import { Dialog } from '../parts/dialog.js'

const everywhere = [
  ['Enter', 'Open the row that the arrows are at'],
  ['Esc', 'Close what is open, or leave the filter'],
] as const

export function KeyHelp({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="What keys do" close={close}>
      <dl class="key-help">
        {bindings.value.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key.length === 1 && keys.startsWith('Ctrl') ? key.toUpperCase() : key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
        {everywhere.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

// A dialog whose module is fetched when it is first opened: what a page shows comes before what somebody may do there.

import { type ComponentType, createElement } from 'preact'
import { useEffect, useReducer } from 'preact/hooks'
import { toastFailure } from './toast.js'

/** Where its module is not to be had, it says so, and closes. */
export function lazily<Props extends { readonly close: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [, redraw] = useReducer((n: number) => n + 1, 0)
    useEffect(() => {
      if (loaded !== undefined) return
      load().then(
        (component) => {
          loaded = component
          redraw(0)
        },
        (failure: unknown) => {
          toastFailure(failure)
          props.close()
        },
      )
    }, [])
    return loaded === undefined ? null : createElement(loaded, props)
  }
}

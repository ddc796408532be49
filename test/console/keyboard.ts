// Somebody who has no mouse: presses keys, and looks after each whether what has the focus is seen.

import type { Locator, Page } from 'playwright-core'

export interface Keyboard {
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  /** Goes on with Tab until it has the focus. */
  tabTo(target: Locator): Promise<void>
  /** How many keys were pressed; a text that was typed is one. */
  readonly presses: number
  /** What had the focus and was not seen to have it, after which key. */
  readonly unseen: readonly string[]
}

const furthest = 150

/** Empty where the focus is seen: it has an outline, and nothing lies over all of it. The page itself has it only until the next Tab. */
const look = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body || at.id === 'page') return ''
  const { outlineStyle, outlineWidth } = getComputedStyle(at)
  const { left, top, right, bottom, width, height } = at.getBoundingClientRect()
  const [x, y] = [(Math.max(0, left) + Math.min(innerWidth, right)) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2]
  const over = document.elementFromPoint(x, y)
  const isMarked = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
  const isInView = width > 1 && height > 1 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
  const isBare = over !== null && (at.contains(over) || over.contains(at))
  return isMarked && isInView && isBare ? '' : [isMarked, isInView, isBare].join() + ' ' + at.outerHTML.slice(0, 120)
})()`

export function keyboardOf(page: Page): Keyboard {
  const unseen: string[] = []
  let presses = 0
  async function noted(after: string): Promise<void> {
    presses++
    const found = await page.evaluate<string>(look)
    if (found !== '') unseen.push(`after ${after}: ${found}`)
  }
  async function press(key: string): Promise<void> {
    await page.keyboard.press(key)
    await noted(key)
  }
  return {
    press,
    async type(text) {
      await page.keyboard.type(text)
      await noted(text)
    },
    async tabTo(target) {
      await target.waitFor()
      for (let steps = 0; steps < furthest; steps++) {
        if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
        await press('Tab')
      }
      throw new Error(`${furthest} times Tab do not lead to ${target}`)
    },
    get presses() {
      return presses
    },
    unseen,
  }
}

// What a command shows while it goes on: on a terminal always in the same place, elsewhere as lines one after the other.

export interface Display {
  readonly interactive: boolean
  /** Tables stand below the line, or follow it. */
  show(line: string, tables: readonly string[]): void
  /** Something that has happened: a sentence. */
  news(text: string): void
  end(): void
}

/** The newest stay on the terminal, above the tables. */
const newsShown = 2
const usualColumns = 80
const usualRows = 24
const leastColumns = 20

const [toTop, clearToEnd, clearLine] = ['\x1b[H', '\x1b[J', '\r\x1b[K']

export function createDisplay(output: NodeJS.WriteStream): Display {
  const interactive = output.isTTY === true
  const newest: string[] = []
  const fitting = (line: string): string => line.slice(0, Math.max(leastColumns, (output.columns ?? usualColumns) - 1))

  function showScreen(lines: readonly string[]): void {
    const fit = lines
      .slice(0, Math.max(1, (output.rows ?? usualRows) - 1))
      .map((line) => `${clearLine}${fitting(line)}`)
    output.write(`${toTop}${fit.join('\n')}\n${clearToEnd}`)
  }

  return {
    interactive,
    show(line, tables) {
      if (!interactive) for (const one of [line, ...tables]) console.log(one)
      else if (tables.length > 0) showScreen([line, ...newest, ...tables])
      else output.write(`${clearLine}${fitting(line)}`)
    },
    news(text) {
      if (!interactive) console.log(text)
      newest.push(text)
      if (newest.length > newsShown) newest.shift()
    },
    end() {
      if (interactive) output.write('\n')
    },
  }
}

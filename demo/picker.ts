import { element } from './elements.ts'
import { type DemoToken, findTokens, shorten } from './tokens.ts'

/** Shows a dialog with a search field. Resolves with undefined if it was closed. */
export function pickToken(tokens: DemoToken[]): Promise<DemoToken | undefined> {
  const dialog = element('picker', HTMLDialogElement)
  const search = element('search', HTMLInputElement)
  const list = element('tokens', HTMLUListElement)
  let chosen: DemoToken | undefined
  const close = (token: DemoToken) => {
    chosen = token
    dialog.close()
  }
  const draw = () => {
    const found = findTokens(tokens, search.value)
    list.replaceChildren(...found.map((token) => row(token, () => close(token))))
    if (found.length === 0)
      list.append(Object.assign(document.createElement('li'), { textContent: 'No token' }))
  }
  search.value = ''
  search.oninput = draw
  search.onkeydown = (event) => {
    const [first] = findTokens(tokens, search.value)
    if (event.key !== 'Enter' || first === undefined) return
    event.preventDefault()
    close(first)
  }
  draw()
  dialog.showModal()
  search.focus()
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(chosen)
  })
}

function row(token: DemoToken, onClick: () => void): HTMLLIElement {
  const button = Object.assign(document.createElement('button'), { type: 'button', onclick: onClick })
  const address = Object.assign(document.createElement('span'), {
    className: 'address dim',
    textContent: shorten(token.address),
  })
  button.append(createMark(token.symbol), token.symbol, address)
  const item = document.createElement('li')
  item.append(button)
  return item
}

/** Letter disc; the hue follows the symbol. */
export function createMark(symbol: string): HTMLSpanElement {
  const mark = Object.assign(document.createElement('span'), {
    className: 'mark',
    textContent: symbol.slice(0, 1),
    ariaHidden: 'true',
  })
  const hue = [...symbol].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7)
  mark.style.setProperty('--hue', String(hue))
  return mark
}

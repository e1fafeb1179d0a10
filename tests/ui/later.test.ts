import { h, render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WalletError } from '../../src/errors.ts'
import { later } from '../../src/ui/later.tsx'

/** As much of a document as Preact needs to draw into. */
class Node {
  parentNode: Node | null = null
  childNodes: Node[] = []
  listeners: Record<string, unknown> = {}
  constructor(
    readonly localName: string,
    public data = '',
  ) {}
  get firstChild(): Node | null {
    return this.childNodes[0] ?? null
  }
  get nextSibling(): Node | null {
    const siblings = this.parentNode?.childNodes ?? []
    return siblings[siblings.indexOf(this) + 1] ?? null
  }
  get text(): string {
    return this.data + this.childNodes.map(({ text }) => text).join(' ')
  }
  insertBefore(child: Node, before: Node | null) {
    child.remove()
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before)
    this.childNodes.splice(at, 0, child)
    child.parentNode = this
    return child
  }
  appendChild(child: Node) {
    return this.insertBefore(child, null)
  }
  removeChild(child: Node) {
    this.childNodes = this.childNodes.filter((one) => one !== child)
    child.parentNode = null
    return child
  }
  remove() {
    this.parentNode?.removeChild(this)
  }
  contains(other: Node | null): boolean {
    return other !== null && (other === this || this.contains(other.parentNode))
  }
  setAttribute() {}
  removeAttribute() {}
  scrollIntoView() {}
  addEventListener(type: string, listener: unknown) {
    this.listeners[type] = listener
  }
}

beforeEach(() => {
  const createElement = (name: string) => new Node(name)
  vi.stubGlobal('document', {
    createElement,
    createElementNS: (_space: string, name: string) => createElement(name),
    createTextNode: (data: string) => new Node('#text', data),
  })
})
afterEach(() => vi.unstubAllGlobals())

function drawn(load: Parameters<typeof later<object>>[0]) {
  const place = new Node('main')
  render(h(later<object>(load), {}), place as unknown as Parameters<typeof render>[1])
  return place
}

it('draws a component once its code is there', async () => {
  const place = drawn(async () => () => h('p', {}, 'Here it is.'))
  expect(place.text).toBe('')
  await vi.waitFor(() => expect(place.text).toBe('Here it is.'), 100_000)
})

it('says that the code did not come, and offers to try again', async () => {
  const place = drawn(async () => {
    throw new WalletError('internal', 'The chunk is gone.')
  })
  await vi.waitFor(() => expect(place.text).toContain('Try again'), 100_000)
})

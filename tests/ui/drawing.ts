import { type ComponentChild, render } from 'preact'
import { act } from 'preact/test-utils'
import { vi } from 'vitest'

/** As much of a document as Preact needs to draw into. */
export class Node {
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
  showModal() {}
  close() {}
  addEventListener(type: string, listener: unknown) {
    this.listeners[type] = listener
  }
}

/** Puts the document there; `clearDocument` takes it away. */
export function standInDocument(): void {
  const createElement = (name: string) => new Node(name)
  vi.stubGlobal('document', {
    createElement,
    createElementNS: (_space: string, name: string) => createElement(name),
    createTextNode: (data: string) => new Node('#text', data),
    addEventListener: () => undefined,
  })
}

/** Draws into `place`, and answers when all that follows from it is done, asked questions with an answer at hand among it. */
export async function draw(child: ComponentChild, place = new Node('main')): Promise<Node> {
  drawn.add(place)
  await act(async () => render(child, place as unknown as Parameters<typeof render>[1]))
  return place
}

const drawn = new Set<Node>()

/** Takes away all that was drawn, with its effects, and the document: files share the modules that effects write to. */
export async function clearDocument(): Promise<void> {
  for (const place of drawn) await draw(null, place)
  drawn.clear()
  vi.unstubAllGlobals()
}

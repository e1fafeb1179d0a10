import { type ComponentChild, render } from 'preact'
import { act } from 'preact/test-utils'
import { vi } from 'vitest'

/** Minimal DOM node for Preact. */
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

export function standInDocument(): void {
  const createElement = (name: string) => new Node(name)
  vi.stubGlobal('document', {
    createElement,
    createElementNS: (_space: string, name: string) => createElement(name),
    createTextNode: (data: string) => new Node('#text', data),
    addEventListener: () => undefined,
  })
}

/** Renders and flushes effects, including those of resolved promises. */
export async function draw(child: ComponentChild, place = new Node('main')): Promise<Node> {
  drawn.add(place)
  await act(async () => render(child, place as unknown as Parameters<typeof render>[1]))
  return place
}

const drawn = new Set<Node>()

/** Unmounts everything: test files share the modules that effects write to. */
export async function clearDocument(): Promise<void> {
  for (const place of drawn) await draw(null, place)
  drawn.clear()
  vi.unstubAllGlobals()
}

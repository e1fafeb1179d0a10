import { parseSync } from 'vite'

/** Translated texts of a source file, and strings (`raw`) shown untranslated. */
export type Said = { texts: Text[]; raw: string[] }

export type Text = { text: string; one?: string }

/** Collects the texts of a UI source file; `raw` is a heuristic, see `isRaw`. */
export function collect(path: string, code: string): Said {
  const said: Said = { texts: [], raw: [] }
  const { program, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`)
  visit(program as unknown as Node, [], said)
  return said
}

type Node = { type: string; [key: string]: unknown }

const shownAttributes = new Set(
  'title label hint placeholder alt legend what words text fault of says chooseLabel aria-label aria-description'.split(
    ' ',
  ),
)

const hiddenAttributes = new Set(['class', 'key', 'id', 'd', 'style', 'fill'])

const namedComponents = new Set(['Row', 'Taken'])

const names = new Set(['Sluice', 'Permit2', 'Enter', 'Esc', '0x', '0x…', 'https://', 'English', 'Deutsch'])

function visit(node: Node, parents: Node[], said: Said): void {
  if (isSilent(node)) return
  if (node.type === 'CallExpression') {
    const name = (node.callee as Node).name
    const args = node.arguments as Node[]
    if (name === 't' || name === 'tx' || name === 'defineMessage') {
      said.texts.push(...literalsOf(args[0]).map((text) => ({ text })))
      visitAll(args.slice(1), [...parents, node], said)
      return
    }
    if (name === 'plural') {
      const [one, text] = [literalsOf(args[1])[0], literalsOf(args[2])[0]]
      if (one === undefined || text === undefined) said.raw.push('plural() without its two forms')
      else said.texts.push({ text, one })
      visitAll([args[0] as Node, ...args.slice(3)], [...parents, node], said)
      return
    }
  }
  const words = wordsOf(node)
  if (words !== undefined && isRaw(node, words, parents)) said.raw.push(words.trim())
  for (const [key, child] of Object.entries(node)) {
    if (key === 'parent' || (node.type === 'Property' && key === 'key')) continue
    if (node.type === 'MemberExpression' && key === 'property') continue
    if (node.type === 'SwitchCase' && key === 'test') continue
    if (Array.isArray(child)) visitAll(child.filter(isNode), [...parents, node], said)
    else if (isNode(child)) visit(child, [...parents, node], said)
  }
}

function visitAll(nodes: Node[], parents: Node[], said: Said): void {
  for (const node of nodes) visit(node, parents, said)
}

function isSilent({ type, operator, callee }: Node): boolean {
  if (type.startsWith('Import')) return true
  if (type === 'NewExpression') return String((callee as Node).name).endsWith('Error')
  if (type === 'BinaryExpression') return operator !== '+'
  return type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)Expression$/.test(type)
}

function literalsOf(node: Node | undefined): string[] {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node?.type !== 'ConditionalExpression') return []
  return [...literalsOf(node.consequent as Node), ...literalsOf(node.alternate as Node)]
}

function wordsOf({ type, value, quasis }: Node): string | undefined {
  if (type === 'JSXText' || type === 'Literal') return typeof value === 'string' ? value : undefined
  if (type !== 'TemplateLiteral') return undefined
  return (quasis as { value: { cooked: string } }[]).map((quasi) => quasi.value.cooked).join('{}')
}

/** In shown places any letter counts; elsewhere in code only text that resembles a phrase. */
function isRaw(node: Node, words: string, parents: Node[]): boolean {
  if (!/\p{L}/u.test(words) || names.has(words.trim())) return false
  switch (placeOf(node, parents)) {
    case 'shown':
      return node.type !== 'TemplateLiteral' || /\p{L}{2}/u.test(words)
    case 'code':
      return /^\p{Lu}[\p{Ll}’]+(?:[ .,:…?!]|$)/u.test(words) || /\S [\p{L}{]\p{L}/u.test(words)
    case 'hidden':
      return false
  }
}

/** `code`: may reach the screen. */
function placeOf(node: Node, parents: Node[]): 'shown' | 'hidden' | 'code' {
  if (node.type === 'JSXText') return 'shown'
  const at = parents.findLastIndex(({ type }) => type === 'JSXAttribute' || type === 'JSXExpressionContainer')
  const place = parents[at]
  if (place === undefined) return 'code'
  // Not passed to a function.
  const isItself = parents.slice(at + 1).every(({ type }) => /^(Conditional|Logical)Expression$/.test(type))
  const attribute = [place, parents[at - 1]].find((one) => one?.type === 'JSXAttribute')
  if (attribute === undefined) return isItself ? 'shown' : 'code'
  const name = String((attribute.name as Node).name)
  const element = parents[parents.indexOf(attribute) - 1]
  const owner = String((element?.name as Node | undefined)?.name)
  const isShown = shownAttributes.has(name) || (name === 'name' && namedComponents.has(owner))
  if (isShown && isItself) return 'shown'
  return hiddenAttributes.has(name) ? 'hidden' : 'code'
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

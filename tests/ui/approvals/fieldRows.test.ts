import fc from 'fast-check'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { signedFields } from '../../../src/domain/signing/signedFields.ts'
import { parseTypedData } from '../../../src/domain/signing/typedData.ts'
import { FieldTree, fieldRows } from '../../../src/ui/approvals/sign/FieldTree.tsx'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import { type Sample, typedData } from '../../helpers/samples/typedDataSamples.ts'
import { clearDocument, draw, type Node, standInDocument } from '../../helpers/ui/render.ts'

afterEach(async () => {
  await clearDocument()
})

describe('fields of typed data', () => {
  it('returns each value with its full path and type, in order', () => {
    const token = { name: 'token', type: 'address', value: '0xaa' }
    const rows = fieldRows([
      { name: 'details', type: 'Details[]', value: [{ name: '0', type: 'Details', value: [token] }] },
      { name: 'ids', type: 'uint8[][]', value: [{ name: '0', type: 'uint8[]', value: [] }] },
      { name: 'who', type: 'Person', value: [{ name: 'name', type: 'string', value: 'Bob' }] },
    ])
    expect(rows).toEqual([
      { path: 'details[0].token', type: 'address', value: '0xaa' },
      { path: 'ids[0]', type: 'uint8[]', value: 'empty' },
      { path: 'who.name', type: 'string', value: 'Bob' },
    ])
  })

  it('returns every leaf of any typed data as the dapp sent it', () => {
    let leaves = 0
    fc.assert(
      fc.property(typedData, (sample) => {
        const shown = fieldRows(signedFields(parseTypedData(JSON.stringify(sample))))
        const sent = leavesOf(sample)
        leaves += sent.length
        expect(shown.map(({ path, value }) => [path, value])).toEqual(sent)
      }),
      { numRuns: runs(300, 10_000) },
    )
    expect(leaves).toBeGreaterThan(runs(300, 10_000))
    figure(
      '56',
      `${runs(300, 10_000)} shapes of typed data, ${leaves} leaves: each of them shown as it was sent`,
    )
  })

  it('shows all of 1,000 values after the list is expanded', async () => {
    standInDocument()
    const list = Array.from({ length: 1_000 }, (_, at) => ({
      name: `${at}`,
      type: 'uint256',
      value: `n${at}`,
    }))
    const place = await draw(
      h(FieldTree, { fields: [{ name: 'ids', type: 'uint256[]', value: list }], nameOf: () => undefined }),
    )
    const shown = () => nodesOf(place).filter(({ localName }) => localName === 'dd')
    const more = () => nodesOf(place).find(({ localName }) => localName === 'button')
    expect([shown().length, place.text]).toEqual([400, expect.stringContaining('and 600 more')])
    await press(more())
    await press(more())
    expect(shown().map(({ text }) => text)).toEqual(list.map(({ value }) => value))
    expect(more()).toBeUndefined()
  })

  it('shows the name of a known address beside the full address', async () => {
    standInDocument()
    const own = `0x${'Ab'.repeat(20)}`
    const nameOf = (address: string) => (address === own.toLowerCase() ? 'Account 1' : undefined)
    const fields = [
      { name: 'voter', type: 'address', value: own },
      { name: 'to', type: 'address', value: `0x${'cd'.repeat(20)}` },
      { name: 'reason', type: 'string', value: own },
    ]
    const place = await draw(h(FieldTree, { fields, nameOf }))
    const shown = nodesOf(place).filter(({ localName }) => localName === 'dd')
    expect(shown.map(({ text }) => text.replace(/\s+/g, ' '))).toEqual([
      `${own} Account 1`,
      `0x${'cd'.repeat(20)}`,
      own,
    ])
  })
})

/** Reads the values by the types alone, independently of the code under test. */
function leavesOf({ types, primaryType, message }: Sample): [path: string, value: string][] {
  const walk = (path: string, type: string, value: unknown): [string, string][] => {
    if (type.endsWith(']')) {
      const item = type.slice(0, type.lastIndexOf('['))
      const items = value as unknown[]
      return items.length === 0
        ? [[path, 'empty']]
        : items.flatMap((one, at) => walk(`${path}[${at}]`, item, one))
    }
    const members = types[type]
    if (members === undefined) return [[path, String(value)]]
    if (members.length === 0) return [[path, 'empty']]
    return members.flatMap((each) =>
      walk(
        path === '' ? each.name : `${path}.${each.name}`,
        each.type,
        (value as Sample['message'])[each.name],
      ),
    )
  }
  return types[primaryType]?.length === 0 ? [] : walk('', primaryType, message)
}

function nodesOf(node: Node): Node[] {
  return [node, ...node.childNodes.flatMap(nodesOf)]
}

async function press(button: Node | undefined): Promise<void> {
  const listener = button?.listeners.click as (event: object) => void
  await act(async () => listener.call(button, { type: 'click' }))
}

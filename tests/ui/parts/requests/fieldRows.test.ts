import { describe, expect, it } from 'vitest'
import { fieldRows } from '../../../../src/ui/parts/requests/fieldRows.ts'

describe('the values of what is signed', () => {
  it('come with their whole path, their type, and in order', () => {
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
})

import { describe, expect, it } from 'vitest'
import { addressIn, readTypedAddress } from '../../../src/domain/address/typedAddress.ts'

// Example of EIP-55.
const good = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const address = good.toLowerCase()
const groups = `0x ${good.slice(2).match(/.{4}/g)?.join(' ')}`

describe('readTypedAddress', () => {
  it.each([
    good,
    address,
    ` ${good}\n`,
    `0X${good.slice(2)}`,
    `"${good}"`,
    `“${good}”`,
    `• ${good}`,
    `- ${good},`,
    `(${good})`,
    `[${good}]`,
    `<${good}>.`,
    `\u2066${good}\u2069`,
    `\ufeff${good.slice(0, 20)}\u200b${good.slice(20)}\u200e`,
    `${good.slice(0, 20)}\u00ad${good.slice(20)}`,
    groups,
    `${good.slice(0, 22)}\n${good.slice(22)}`,
    `1. ${good}`,
    `1) ${good}`,
    `#1: ${good}`,
    `No. 1: ${good}`,
    `1. ${groups}`,
    `Address: ${good}`,
    `Address:${good}`,
    `address = ${good}`,
    `Address\n${good}`,
    `My wallet (cold): "${good}"`,
    `2. Address: ${groups}`,
    `Adresse : ${good}`,
    `地址：${good}`,
    `العنوان: ${good}`,
    `to ${good}`,
    `Address ${good}`,
    `${good} ${good}`,
    `${good}\n${address}`,
    `Address: ${good} (${good})`,
    `ethereum: ${good}`,
    good.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ])('reads the address from %j', (text) => {
    expect(readTypedAddress(text)).toEqual({ kind: 'address', address })
  })

  it.each([
    [`eth:${good}`, 1],
    [`ETH:${good}`, 1],
    [`oeth:${good}`, 10],
    [`bnb:${good}`, 56],
    [`gno:${good}`, 100],
    [`matic:${good}`, 137],
    [`pol:${good}`, 137],
    [`base:${good}`, 8453],
    [`arb1:${good}`, 42161],
    [`avax:${good}`, 43114],
    [`linea:${good}`, 59144],
    [`eip155:8453:${good}`, 8453],
    [`ethereum:${good}@1`, 1],
    [`ethereum:pay-${good}@137`, 137],
    [`ethereum:${good}@0x2105`, 8453],
    [`ethereum:${good}@10?value=2.014e18&gas=21000`, 10],
    [`ethereum:${good}@1/?value=1`, 1],
    [` "ethereum:${good}@1" `, 1],
    [`eth:\u200b${good}`, 1],
    [`eth: ${good}`, 1],
    [`ETH : ${good}`, 1],
    [`Address: eth:${good}`, 1],
    [`1. base: ${good}`, 8453],
    [`Address: eip155:10:${good}`, 10],
    [`Pay here: ethereum:${good}@137`, 137],
  ])('reads from %s an address on chain %i', (text, chainId) => {
    expect(readTypedAddress(text)).toMatchObject({ kind: 'address', address, chainId })
    expect(addressIn(text)).toBe(address)
    expect(addressIn(text, chainId)).toBe(address)
    expect(addressIn(text, chainId + 1)).toBeUndefined()
  })

  it('accepts a link without a chain on any chain', () => {
    for (const text of [`ethereum:${good}`, `ethereum:${good}?value=1`])
      expect(addressIn(text, 137)).toBe(address)
  })

  it.each(['value=2e17', 'gas=21000&value=1', 'VALUE=5'])(
    'reports that a link asks for an amount: %s',
    (query) => {
      const asks = { asksAmount: true }
      expect(readTypedAddress(`ethereum:${good}@1?${query}`)).toMatchObject({
        kind: 'address',
        address,
        ...asks,
      })
      expect(readTypedAddress(`ethereum:pay-alice.eth?${query}`)).toMatchObject({ kind: 'name', ...asks })
      expect(readTypedAddress(`ethereum:${good}@1?gas=1`)).not.toHaveProperty('asksAmount')
    },
  )

  it('reads a link that calls a contract as a call instead of a recipient', () => {
    const other = `0x${'ab'.repeat(20)}`
    for (const text of [
      `ethereum:${good}/transfer?address=${other}&uint256=1`,
      `ethereum:${good}@1/transfer?address=${other}&uint256=1`,
      `ethereum:dai.eth@1/approve`,
    ])
      expect(readTypedAddress(text)).toEqual({ kind: 'call' })
  })

  it('reports an invalid checksum as mistyped in every notation', () => {
    const wrong = good.replace('aA', 'AA')
    for (const text of [
      wrong,
      `eth:${wrong}`,
      `ethereum:${wrong}@1`,
      `"${wrong}"`,
      groups.replace('aA', 'AA'),
      `Address: ${wrong}`,
      `1. ${wrong}`,
      `${wrong} ${wrong}`,
      `${good} ${wrong}`,
    ])
      expect(readTypedAddress(text)).toEqual({ kind: 'mistyped' })
  })

  it('reports an unknown chain prefix as an unknown network', () => {
    for (const network of ['xyz', 'constructor', 'eip155'])
      expect(readTypedAddress(`${network}:${good}`)).toEqual({ kind: 'unknown-network', network })
  })

  it('reads a name, alone or in a link', () => {
    expect(readTypedAddress(' alice.eth ')).toEqual({ kind: 'name', name: 'alice.eth' })
    expect(readTypedAddress('🦊.eth')).toEqual({ kind: 'name', name: '🦊.eth' })
    expect(readTypedAddress('ethereum:alice.eth@1?value=1')).toEqual({
      kind: 'name',
      name: 'alice.eth',
      chainId: 1,
      asksAmount: true,
    })
  })

  it.each([
    '“alice.eth”',
    '"alice.eth",',
    '- alice.eth',
    '<alice.eth>.',
    'alice.eth.',
    'Address: alice.eth',
    '1. alice.eth',
    '2) Name: “alice.eth”',
    'to: alice.eth',
  ])('reads the name from %j', (text) => {
    expect(readTypedAddress(text)).toEqual({ kind: 'name', name: 'alice.eth' })
  })

  it('does not extract an address from a URL', () => {
    expect(addressIn(`https://explorer.example/address/${good}`)).toBeUndefined()
    expect(addressIn(`Explorer: https://explorer.example/address/${good}`)).toBeUndefined()
  })

  it('keeps a name that begins with a number, a hyphen or an emoji complete', () => {
    for (const name of ['1.alice.eth', '-alice.eth', '*️⃣.eth', '👩‍🚀.eth', '🦊a.eth'])
      for (const text of [name, ` ${name}`, `“${name}”`, `Name: ${name}`])
        expect(readTypedAddress(text), text).toEqual({ kind: 'name', name })
  })

  it.each([
    '',
    ' ',
    'bob',
    '0x12',
    good.slice(2),
    `${good}0`,
    `${good}${good.slice(2)}`,
    `0x${'ab'.repeat(32)}`,
    `${good} 0x${'ab'.repeat(20)}`,
    `Address: ${good} 0x${'ab'.repeat(20)}`,
    `from 0x${'ab'.repeat(20)} to ${good}`,
    `not ${good}`,
    `${good} Bob`,
    `eip155:1/erc20:${good}`,
    `eip155: 1: ${good}`,
    `Address: x${good}`,
    `Address: ${good}0`,
    `1. ${good.slice(2)}`,
    `x${good}`,
    'ethereum:',
    'ethereum:bob@1',
    good.replace('a', 'а'),
  ])('finds no address in %j', (text) => {
    expect(readTypedAddress(text)).toBeUndefined()
    expect(addressIn(text)).toBeUndefined()
  })
})

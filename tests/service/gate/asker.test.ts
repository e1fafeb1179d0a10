import { describe, expect, it } from 'vitest'
import { createKeyring, networkOf } from '../../../service/gate/asker.ts'

describe('a keyring', () => {
  const holderOf = createKeyring(new Set(['first-key', 'second-key']))

  it('names the holder of a key by a hash, always the same', () => {
    expect(holderOf('first-key')).toMatch(/^[0-9a-f]{12}$/)
    expect(holderOf('first-key')).toBe(createKeyring(new Set(['first-key']))('first-key'))
    expect(holderOf('first-key')).not.toBe(holderOf('second-key'))
  })

  it.each(['', 'first', 'first-key ', 'First-key', 'first-key,second-key'])('knows nobody with %j', (key) => {
    expect(holderOf(key)).toBeUndefined()
  })
})

describe('the network of a request', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address, undefined, 0)).toBe(network)
  })

  it('is what strangers write of themselves only where a proxy of ours wrote it', () => {
    const forwarded = '198.51.100.1, 203.0.113.7'
    expect(networkOf('10.0.0.1', forwarded, 0)).toBe('10.0.0.1')
    expect(networkOf('10.0.0.1', forwarded, 1)).toBe('203.0.113.7')
    expect(networkOf('10.0.0.1', forwarded, 2)).toBe('198.51.100.1')
    expect(networkOf('10.0.0.1', forwarded, 3)).toBe('10.0.0.1')
    expect(networkOf('10.0.0.1', 'somebody', 1)).toBe('10.0.0.1')
    expect(networkOf('10.0.0.1', undefined, 1)).toBe('10.0.0.1')
  })

  it.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['"[2001:db8:1:2::9]:443"', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['[somebody]:443', '10.0.0.1'],
    ['203.0.113.7:', '10.0.0.1'],
  ])('is found in a proxy’s %s', (forwarded, network) => {
    expect(networkOf('10.0.0.1', `198.51.100.1, ${forwarded}`, 1)).toBe(network)
  })
})

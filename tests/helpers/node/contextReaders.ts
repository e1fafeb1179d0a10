/** In the order of `Turncoat`'s enum. */
export const tells = [
  'Switch',
  'PrevRandao',
  'FeeRecipient',
  'Time',
  'SameTime',
  'GasLimit',
  'BlockHash',
  'Odd',
  'ReadBefore',
  'ReadAfter',
  'Number',
  'BaseFee',
  'BlobBaseFee',
  'NoBeaconRoot',
  'ZeroBeaconRoot',
  'History',
] as const

export type Tell = (typeof tells)[number]

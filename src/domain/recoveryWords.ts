/**
 * True for all words of BIP-39's English list and 1 in 50 others. A Bloom filter of a third of its size,
 * since every form loads it. Phrases are read with the list (vault/words/phrase.ts).
 */
export function isLikeRecoveryWord(word: string): boolean {
  if (!/^[a-z]{3,8}$/.test(word)) return false
  filter ??= Uint8Array.from(atob(packed), (byte) => byte.charCodeAt(0))
  return toPlaces(word).every((place) => ((filter?.[place >> 3] ?? 0) >> (place & 7)) & 1)
}

let filter: Uint8Array | undefined

/** FNV-1a with an odd step. */
function toPlaces(word: string): number[] {
  let hash = 0x811c9dc5
  for (const letter of word) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  const step = (hash >>> 14) | 1
  return [0, 1, 2, 3, 4].map((turn) => (hash + turn * step) & 0x3fff)
}

/** 2^14 bits. */
const packed =
  'STWVdtG9P+BOBCOIYeYNw0VKQ+bOYhOb/cn6k5TqdQmwUUXPmIpAIIwJogUYEEuwjq6AixlAcTlU6xvOTW98gUsGaW9kkAuslAMnPIR8' +
  'fo3CfTJlnDDR4XFBLJ1DGS7thLDJRQqjY4QCPmwY0yrYTcY141RjBfJQqINJq2EGCglOg+25CjNp1v/CCnKcEr+GPQ4qc88bpmQr+zDE' +
  'eo5dYcxQDot0zfHPUJDsZB/GOYDsmWl9LR82A4vUlzDuAEYFbZv1381HGjXIVJ6iEI+wwZEQjtymEtxTvh7uRhdxsXhhoU0mFQh7wKZi' +
  'Ln0DsCq0aQdeQAAb4suI5xtcQXDvOd0wCdTCu2a42DMc5xI/0ZAQFwQrENYDrIKwAm2cpI7Jx4gxBERhhMxAynMjioTtQC93Lp1uwNDP' +
  'UKcBZIjGpjKAr+e4CpY0/2Loo2EJEKxL2yv2PiIyvxlgCyOI4blAogbrniWDRugwkeoIBxOY3eUYrsgBsRQxGHz5WBUL8hiVoitqrL1q' +
  '7rk92Ajup8CYEKfiBG89kdb1UFA2YPQ1uLNRtkZfnQJpwEIlIbVMceCkgzY1qdnJJ9JHzG9MEAWwn+cM4bcthaZwcc445At5LR8Ch18m' +
  '5ViRu+o3FPXZj+gbMs/wqKKjQUIrlHTl9oOR43YEbpUIHgu9g1PcH4fRn44KrpGucRTEMUwYtiYlgwjD/eq8sIBg6RggDOWVBsAB/ZLA' +
  '4fKVpsIIEcdRRQBajMBmtgOt/MOJQuaYBy84M92hMdkGZfuIU9/YL1grYYFQx6uUwTV1XmcCpqgOJim+1mz+mkGYQthlksBimGpYW3az' +
  'RfNFwcbcFSxRHBGUugCdj6g1FjQfnHrrAKUkRcd3UwMwuvRaXrMMOC9Aw7UyAWSDPacJL2Y8O/EwB9hnxekNCIJBOvkXlL0YdZ4HVUNc' +
  'iXOUVucQUPzRyH8kuPlUTeHAKRgwNMnbHwqebbZTa+0w5dqlv2zF2hOZjzie3AOSp5AQOMwJgZopTB6ZGHsMAM8rQhuxAp31gJuKz2Kr' +
  'PjfJMKu0+2lBTxjaW7p8Ca8KOrb26DV2DLEbEiLt9NMgRB4ugZTrX0MiHUNQRUeOHOMWb/aMJSXXocD+wxhPyq+G1xowXjI6d5kDBM4k' +
  'rknIr8L2516swQPBtt2dcAamlizBEKU8PQQdtpGsjHls+3Hk78HOc/RYIsflEoXmbCPPGrZghxqFDFipBew2wgX98bo4eYp+mRoAoEoO' +
  'NyWlcDBxMxUofy75AI/JHCcP/Gn46pHzd0UuQwHIaUAeCHbi1QyAYgzXwfdA1FOwFrTDPkEk+3QvYQARaXJeJwLUrTQH5BPXPbQFakCE' +
  '6o5DauD3qlAAD4Qrt2N8Tkmj08IwcZSgNWB9Ub5bDAMogJOUI4GQ+/urV7LONuayQYF6oyFEOtzmQvKiHmGlKMHB/urUUWsm+7PYF1l6' +
  'LMcG6WtCQNmI3zckqaJ2LvjDjIslikO8hPmhohEHRuvBpCzaTmtlyMUi/5ZRXP3vH68WwE6Ytfmt4MikVgiQazxViNmth2V6alAYbtGj' +
  'CMVAcDHPR6G22gDRCwNR+WXUoFFWAGCnJzzlrBGUvDsjyDJs45GImgCQW02QLiTwrpy8YTcl33Jl9AIJkUtg2Q6XRIZsy4ZZG2uFqUpe' +
  'rRH4iTtq0kH7AmS6DHatdmcDIJhH3LTSgQQF/SoB134AvNPWDFc1VO87Zxj5v6BpkPAMUlLS1pVLw8IOkm5cOAWUwh1Ui6F7X1C6DLUl' +
  'RsYR2F0tMygHYFiCWb8FxE+mK1YNJcmsDEqYB8ub4ZwjriR+Jjigxn61DKR8+qMgMgdm689eCLdpXjUyHj8hQFiwdF7LWWSNuaQNLKlj' +
  'gYaAGfnHYJIRrPj95MgqwdXSQTmYI7KKXmk1VjQqCVQLG5TK5Btq1QxT2A7CYoVagrUhxED8okaB7zeUA1IIarqFmZNW8c+3B1MHh8GA' +
  'lcu03XPwK3WugnXjn5UCUrjw70YW51nDbXdVGSh8lNICBgZZeSgbeNxjB7XnlhCQDnY7UID8Ou14ZiY7NDEi9z5ooNnFjQwfPRCPFET7' +
  '8MiVkJ8WhrFn3YzmXRypXyY7dxeQP9uBCF48cH1oWz2AWKXtLk6HrG4umYUIcfTZ+MuExXspATUx2ewmucbQ4tt4GFIv29SQXCcXjy/R' +
  'JzWY2C7IIJUQ6Q7mRFRBMWRiCo9lNfEMiFifmroLDprRgk17P2JNMeVw65l1GyggmGaQpmLYnakJpz4/oQTpFFIzeoNLxW1VXk6IVFQa' +
  'OiaqoIZoTW0d1QUn6CV5x3vwS/lXCVMgbjs98qp0x1iz5YUKDHNAV5JoPCMlICJaN4MBVGSFhIGCMWFIQvZySSTKdPxCvpp48I5sJfhP' +
  'AA5FFYKUzoJ78L3odp2LutHZhI/XIyThoxom/xK+6bWRU3WzMlMQmhKuI+r04AmAIfsiT2DBoY2chd45Eb1UOpydAv/KGcOF+jD2y2QY' +
  '0ihvghcRsDla+z57DAHXyONFS2taKsOHTEcA3aROqShUp8HFbGqwhuU7vRQ0XNVZnrYiu+0Y8V3CcCo62nFCjmwQ6gAEF1iGC/WbtLja' +
  'yebX1+g+C1/OHdQAEkAL1JFN2WcupaQLyX/tA0hnUzCNBUdwa/VFGy6iAcVKxwt2PSlZBIp1B5tBE08MYM1P9GczK/ER3GDuGnMyoEmL' +
  'goGUFlEfZt5qnBRGdKhsIrr8dzs='

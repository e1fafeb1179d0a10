/**
 * After Unicode's confusables.txt (UTS 39), by hand, with currency signs. NFKD covers accented, full-width
 * and mathematical letters.
 */
const looksLike: Readonly<Record<string, string>> = {
  A: 'ΑАᎪᗅꓮꭺ𐊠ɑαа⍺ᴀ₳∀Λꓥ',
  B: 'ΒВвᏴᗷꓐꞴʙЬьƄƅɓ฿₿𐊂ꮟᏏ',
  C: 'СсϹϲᏟꓚⲤⲥᴄꮯ𐊢ƈ¢₵₡⊂',
  D: 'ᎠᗞᗪꓓԁᏧᑯꓒᴅɗĐđƊɖꭰᶑ₫',
  E: 'ΕЕеҽ℮ꬲᎬꓰⴹ⋿ᴇєεЄƐɛҼ€ꭼ∊∈ΞΣ',
  F: 'ϜᖴꓝꞘꬵꜰҒғƑƒϝ₣𐊇',
  G: 'ԌᏀᏳꓖɡցɢᶃɠԍǤǥ₲',
  H: 'ΗНнᎻᕼꓧⲎһհʜᏂҺⱧⱨңҢ𐋏ꮋ',
  I: 'ΙІіӀӏᎥꓲⲒɩıιⵏاו١۱ןǀ∣❘ꙇꭵ℩ɪƖ│∕',
  J: 'ЈјϳᎫᒍꓙͿᴊɈɉꭻ',
  K: 'ΚКкᏦꓗⲔκᴋқҚҝҜƙꮶ₭',
  L: 'ᏞᒪꓡⳐⳑʟŁłȽƚꮮ₤£Լ',
  M: 'ΜМмᎷᗰꓟⲘϺᴍ₥ɱꮇ',
  N: 'ΝꓠⲚոռηпɴƝɲŋŊ₦ƞ',
  O: 'ΟОоσοՕօ๐໐०੦૦௦౦೦൦০୦ዐⲞⲟꓳဝჿⵔ߀ᴏە٥סهØøƟθΘѲѳ⌀○◯〇𐊒ꬽᴑ۵',
  P: 'ΡРрᏢᑭꓑⲢⲣρᴘ₱ƿþÞ⍴ꮲҎҏ',
  Q: 'Ԛԛգⵕզʠɋ',
  R: 'ᎡᏒᖇꓣƦʀгᴦꭱɾɽɍᎱꮁ',
  S: 'ЅѕՏᏕᏚꓢꜱʂ$₴ƨꮪ§',
  T: 'ΤТтᎢꓔⲦτᴛ₮⊤⟙ŦŧƬƭҬҭꭲ🝨₸',
  U: 'ՍሀᑌꓴႮ∪⋃υսʋᴜμцɄʉꞟ',
  V: 'ѴѵᏙᐯꓦⴸ٧۷νᴠ∨⋁ꮩ',
  W: 'ԜԝᎳᏔꓪաѡѠɯᴡωшШ₩ꮃɰ',
  X: 'ΧХхҲҳ᙭ꓫⲬⵝχ×╳⤫⨯ᕁᕽ✕✗',
  Y: 'ΥҮУуүγყᎩᎽꓬⲨʏɣ¥ҰұƳƴꮍ',
  Z: 'ΖᏃꓜᴢʐƵƶȤȥꮓ',
  2: 'ƧϨᒿꙄ',
  3: 'ЗзӠӡƷʒȜȝꝪⳌЭэ',
  4: 'ᏎЧч',
  5: 'Ƽƽ',
  6: 'бᏮⳒ',
  8: 'Ȣȣ৪੪ଃ',
  9: '৭੧୨Ⳋꝯ',
}

/** Character to the letter or digit that it resembles. */
export const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(looksLike).flatMap(([letter, signs]) =>
    Array.from(signs, (sign) => [sign, letter] as const),
  ),
)

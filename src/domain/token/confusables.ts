/**
 * What other scripts and signs have that looks like a Latin letter or a digit, of any case, after Unicode's list (UTS 39, confusables.txt).
 * Letters with accents, fullwidth and mathematical ones are not here: normalizing folds them (NFKD). Made by hand for symbols of
 * tokens, so what is a currency's sign stands here as well.
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

/** By the sign the letter or digit that it looks like. */
export const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(looksLike).flatMap(([letter, signs]) =>
    Array.from(signs, (sign) => [sign, letter] as const),
  ),
)

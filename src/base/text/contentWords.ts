/** In characters; more adds little about the topic and segmenting is slow. */
const maxCharacters = 20_000;

let segmenter: Intl.Segmenter | undefined;

export function wordsOf(text: string): string[] {
  // Created on first use: its dictionaries load slowly.
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text.slice(0, maxCharacters))) {
    if (isWordLike) words.push(segment);
  }
  return words;
}

export function contentWords(text: string): string[] {
  const words = new Map<string, string>();
  for (const word of wordsOf(text)) {
    const key = word.toLowerCase();
    if (!stopWords.has(key) && !words.has(key) && !isSingleLetter(word)) words.set(key, word);
  }
  return [...words.values()];
}

/** A single letter has no meaning; a Han character or a digit can. */
function isSingleLetter(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]$/u.test(word);
}

const stopWords = new Set(
  [
    'a an the this that these those it its they them their there here he she his her him we us our you your i me my mine',
    'and or but if so then also than as at by for from in into of off on onto out over to up with within without about',
    'is are was were be been being am do does did done doing has have had having can could may might must shall should will would',
    'what which who whom whose when where why how not no nor yes any some all both each more most other another others one ones same such only own too very just much many',
    "please tell show say explain give get let again still yet now next else say's don't doesn't isn't it's that's what's i'm i'd you're let's",
    'mean means happen happens happened want need know think',
    '的 了 是 在 有 和 与 或 就 都 而 及 着 吗 呢 吧 啊 呀 嘛 我 你 您 他 她 它 我们 你们 他们 它们 这 那 这个 那个 这些 那些 这里 那里 哪 哪个 哪些 哪里 什么 怎么 怎样 如何 为什么 为何 多少 几 谁 何时 什么时候',
    '请 请问 能 能否 可以 会 要 想 应该 需要 一下 一个 还 还有 也 又 再 另 另外 其他 其它 别的 更 很 最 不 没 没有 对 把 被 给 从 到 向 于 以 之 其 其中 上面 前面 刚才 下面 继续 说 告诉 知道 解释 然后 那么 所以 但是 如果',
  ]
    .join(' ')
    .split(' '),
);

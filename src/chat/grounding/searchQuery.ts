import { contentWords, wordsOf } from '../../base/text/contentWords.ts';

export interface EarlierTurn {
  /** The query of that turn, or else its question. */
  subject: string;
  cited: readonly { documentName: string; content: string }[];
}

/** Maximum query length in characters; the platform rejects longer ones. Source: platform-api.md 7.2. */
const maxCharacters = 250;
/** A question with more content words is self-contained, even if it begins with "and". */
const manyWords = 5;
/** With more content words, an "it" likely refers to something in the question. */
const someWords = 3;
/** More words of the previous turn would outweigh the question. */
const maxSubjectWords = 8;
const maxCited = 2;

/** Adds the previous turn's subject to questions that refer to it. Deterministic. */
export function searchQuery(question: string, earlier: EarlierTurn | undefined): string {
  if (!earlier || !refersBack(question)) return inBounds(question);
  const words = new Map<string, string>();
  for (const word of [...contentWords(question), ...subjectOf(earlier)]) {
    const key = word.toLowerCase();
    if (!words.has(key)) words.set(key, word);
  }
  return words.size > 0 ? fitting([...words.values()]) : inBounds(question);
}

export function isSmallTalk(text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 0) return true;
  if (/\p{Script=Han}/u.test(text)) return chineseSmallTalk.test(text.replace(/[^\p{L}\p{N}]/gu, ''));
  return words.length <= 8 && words.every((word) => smallTalk.has(word.toLowerCase()));
}

/** True for follow-ups that only make sense with the previous turn. */
function refersBack(question: string): boolean {
  const own = contentWords(question);
  // "Which channel?" is too vague, whereas a single word is a subject.
  if (own.length === 0 || (own.length === 1 && wordsOf(question).length > 1)) return true;
  return (
    (own.length <= manyWords && opensWithReference.test(question)) ||
    (own.length <= someWords && hasReference.test(question))
  );
}

function subjectOf({ subject, cited }: EarlierTurn): string[] {
  return [
    ...contentWords(subject).slice(0, maxSubjectWords),
    ...cited
      .slice(0, maxCited)
      .flatMap(({ documentName, content }) => [
        ...contentWords(withoutFolders(documentName)),
        ...contentWords(headingOf(content)).slice(0, maxSubjectWords),
      ]),
  ];
}

/** Uploaded files have a different slash in their names. */
function withoutFolders(name: string): string {
  return name.replace(/^.*[/\u2215]/s, '').replace(/\.[^.]*$/, '');
}

function headingOf(content: string): string {
  return /^\s*#+\s+(.{1,200})$/m.exec(content)?.[1] ?? '';
}

function inBounds(question: string): string {
  const text = question.trim().replace(/\s+/g, ' ');
  if (charactersOf(text) <= maxCharacters) return text;
  const asking = question
    .replace(/```[^]*?(```|$)/g, ' ')
    .split(/(?<=[?？])|\n{2,}/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => /[?？]$/.test(part))
    .map((part) => part.replace(/^.*[.!。！;；]\s+(?=\S)/s, ''));
  return fitting([...asking.toReversed(), ...contentWords(question)]);
}

/** Keeps the parts that fit, in order, truncating the first if necessary. */
function fitting(parts: readonly string[]): string {
  const [first = '', ...rest] = parts;
  let query = Array.from(first).slice(0, maxCharacters).join('');
  for (const part of rest) {
    if (charactersOf(query) + 1 + charactersOf(part) <= maxCharacters)
      query = query ? `${query} ${part}` : part;
  }
  return query;
}

/** Counts code points, like the server. */
function charactersOf(text: string): number {
  return Array.from(text).length;
}

const opensWithReference =
  /^\s*(?:and|or|but|so|then|also|what about|how about|what else|which one|why|und|aber|oder|et|mais|ou|y|pero|o)\b|^\s*(?:那|还|另|其他|其它|然后|继续|为什么|为何|再|又)/iu;

const hasReference =
  /\b(?:it|its|this|that|these|those|they|them|their|there|he|she|his|her|one|ones|other|another|others|same|former|latter|above|previous|earlier|else)\b|[它他她其]|这|那|呢\s*[?？]?\s*$|上面|前面|刚才|上述|前者|后者|另一|别的/iu;

const smallTalk = new Set(
  [
    'hi hello hey hallo yo there everyone all folks team good morning afternoon evening night day greetings howdy',
    'thanks thank thx ty cheers you u so very much a lot again for your the help that this was is it of course',
    "ok okay k fine great perfect nice cool awesome excellent wonderful super brilliant amazing well done got understood i see right sure yes yep yeah no nope nah please alright all that's it's works worked",
    'bye goodbye see later soon cu welcome sorry never mind nevermind lol haha hm hmm oh ah wow go on continue',
    'danke merci gracias ciao tschüss salut hola bonjour',
  ]
    .join(' ')
    .split(' '),
);

const chineseSmallTalk =
  /^(?:你好|您好|大家好|嗨|哈喽|喂|早安|晚安|早上好|上午好|中午好|下午好|晚上好|谢谢|多谢|感谢|辛苦|麻烦|好的?|行|可以|没问题|没事|明白|知道|了解|懂|收到|再见|拜拜|回头见|不错|太好|很好|真棒|厉害|完美|对|是的?|嗯+|哦+|哈+|不用|不客气|继续|你|您|我|们|大家|都|了|啊|呀|啦|吧|的|呢|很|非常|太)+$/u;

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSources } from '../run/imports.ts';
import { manual } from '../support/manual.ts';
import { localisedTexts } from '../support/localisedTexts.ts';

/** Phrases that the UI and the documentation avoid, with their replacements. */
const banned: [phrase: RegExp, instead: string][] = [
  [/^Trying \{0\}|could not be tried|is tried before|tries it\b/, 'test the connection'],
  [/^Called:|^Came back:|what came back/, 'Request: / Server response:'],
  [/\bforget keys\b|\bkeeps no keys\b|key (?:is|was) forgotten/i, 'Remove Saved Keys / No saved keys'],
  [/white space inside/, 'contains spaces'],
  [/^There is no key|the page that issued it/, 'Enter an API key'],
  [/character that no key can have/, 'an invalid character'],
  [/shortened display/, 'masked key'],
  [/key of something else/, "doesn't look like a … key (prefix-…)"],
  [/in Switchboard itself/, 'Internal error'],
  [/waiting for the first token/i, 'Waiting for the model…'],
  [/waiting for your answer|^asks you$/i, 'Waiting for approval… / Needs approval'],
  [/\{0\} \+ \{1\} tokens/, '{0} in · {1} out'],
  [/asks to wait/, 'Try again in …'],
  [/does not take tools|asked again without/, "doesn't support tools; resent without them"],
  [/does not take images|not known whether/, "doesn't support images / image support unknown"],
  [/longer than the model takes|sent once more/, 'exceeded the context window; shortened and resent'],
  [/\b(?:what|had) arrived (?:is|was|are|had)? ?kept|What (?:had )?arrived/i, 'The partial answer was kept'],
  [/own account at the model's vendor/, "The upstream provider rejected the relay's credentials"],
  [/\bat present\b/, 'nothing, or "temporarily"'],
  [/does not serve this model/, 'Model not available for this key'],
  [/What (?:it|the platform) says\b|tells why/, "See the server's message"],
  [/Nothing listens at/, 'Connection refused by …'],
  [/took the request/, "didn't respond within …"],
  [/(?:fell|fall) silent|took nothing more/, 'sent no data for … / upload stalled for …'],
  [/inside of a repository|the inside of `\.git`/, 'inside .git'],
  [/came without its place|cannot be judged/, "File location unknown, so it can't be attached"],
  [/It is not a text\b/, 'Not a text file'],
  [/Why not\? The model reads this/, 'Reason (optional, sent to the model)'],
  [/until another chat is opened/, 'Allow for this conversation'],
  [/may ask to use; each use/, 'Select tools models can use. Each call needs approval'],
  [/No other extension and no MCP server/, 'No tools from other extensions or MCP servers'],
  [/Needs your decision|\{0\} to decide/, 'Conflicts / {0} conflicts'],
  [
    /leave it out or take it in|Leave everything out|^Left out$|\{0\} left out/,
    'include / exclude / skipped',
  ],
  [/[Ww]ithheld/, 'blocked'],
  [/Gone from the folder/, 'Deleted locally'],
  [/^As set$/, 'Use setting'],
  [/[Mm]ost tokens (?:in|an?|that)|neighbours share/, 'Max tokens per … / Overlap (tokens)'],
  [
    /Short pieces are searched|for good\./,
    "Searches child chunks, returns the parent. Can't be changed later",
  ],
  [/[Ff]ound by (?:meaning|keywords)|which may cost/, 'Semantic search / Keyword search; may incur cost'],
  [/no worker took it up|indexing has not moved/, 'stuck in queue for … / no indexing progress for …'],
  [/[Ww]hoever runs the platform/, 'Contact your platform administrator'],
  [/belongs to another system|of another system/, 'is external and read-only'],
  [/does not find this|look again/i, 'Not found. Refresh and try again / Check Status'],
  [/does not have this function/, 'Not supported by this platform version'],
  [/has trouble/, 'temporarily unavailable'],
  [/among your apps/, 'Added app "{0}"'],
  [/at first: /, 'default: '],
  [/The app needs this|is needed\.|To be filled in/, 'Required'],
  [/characters are taken; these are/, 'Maximum {0} characters ({1} entered)'],
  [/Empty It|to come back\./, 'Clear / Save to return to the form'],
  [/Show What Came|It gave no text/, 'Show Partial Output / No text output'],
  [/waits for a person/, 'waiting for human input'],
  [/Looking at /, 'Checking …'],
  [/Asking \{0\}|Asking the platform|Reading the |^Making /, 'Loading … / Creating …'],
  [
    /knowledge of their own|knows only what is said with it/,
    'Applies to models only / {0} sees only messages sent to it',
  ],
  [/\banew\b|\b(?:kept|keep|stays?|keeping) in step\b|\bin step with\b/, 're-index / sync'],
  [/Description and Technique/, 'Edit Description and Indexing…'],
  [/know about models better|know better about models/, 'Model overrides'],
  [/How varied|can (?:take in|give out)/, 'Sampling temperature; Context window; Max output tokens'],
  [/further certificate authorities|made up for this|Not named:/, 'additional CA certificates; a random ID'],
  [
    /"(?:chat\.(?!allowAnonymousAccess|byokUtilityModelDefault)|(?:relay|tools|knowledge|network|platform)\.)\w+"/,
    'the whole name of the setting, "switchboard.…"',
  ],
  [/\bthe person\b|\bthat person\b/i, 'the user, or "you"'],
  [
    /Restore Back|as Indexed|What Was Sent|over Table or Files|Changes of the Turn/,
    'Undo Restore, View Request, …',
  ],
  [
    /All must hold|Any is enough|Also Unchanged|Used last|Found Out/,
    'Match all conditions, Recently used, …',
  ],
  [
    /\b(?:further|beside the) relays?\b|takes the place|is used beside/i,
    'additional relays; replaces, used alongside',
  ],
  [/has ended\b|goes on\b|without a word|word for word by/, 'finishes, continues'],
  [/in step as of|^Goes (?:next|without)|^As by hand|^Also of /, 'in sync, uploaded, same as, including'],
  [
    /all the same\?|beside its owner|couldn't be told|isn't in .* any more/,
    'anyway, in addition to, notified, no longer',
  ],
  [/\bcaret\b/, 'cursor, as in VS Code'],
  [
    /\bmodel id\b|[Ff]avourite|[Ss]ummaris|organisation|neighbour/,
    'model ID; American spelling, as in VS Code',
  ],
];

function documents(): { where: string; text: string }[] {
  const names = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;
  const walkthrough = join('media', 'walkthrough');
  const files = [...manual, ...readdirSync(walkthrough).map((name) => join(walkthrough, name))];
  return [
    ...localisedTexts().map(({ path, line, text }) => ({ where: `${path}:${line}`, text })),
    ...Object.entries(names).map(([key, text]) => ({ where: `package.nls.json: ${key}`, text })),
    ...files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((text, index) => ({ where: `${file}:${index + 1}`, text })),
    ),
  ];
}

describe('the words of the UI', () => {
  it('are those of the field, and none that were replaced come back', () => {
    const found = documents().flatMap(({ where, text }) =>
      banned.flatMap(([phrase, instead]) => {
        const said = phrase.exec(text)?.[0];
        return said === undefined ? [] : [`${where}: "${said}": say: ${instead}`];
      }),
    );
    assert.deepEqual(found, []);
  });
});

/** Former names in the code, with the field's terms. */
const bannedNames: [name: RegExp, instead: string][] = [
  [/\bthe person\b/i, 'the user'],
  [/\b(?:ourMistake|failedEnd|theirWords)\b/, 'toInternalError, toFailure, sanitizeServerMessage'],
  [/\bPatience\b/, 'ResponseTimeouts'],
  [/\bGate\b|\bremembering\b/, 'Deferred, memoize'],
  [/\w+Desk\b/, '…Controller, …Service'],
  [/\bJourney\b/, 'RequestInfo'],
  [/\bsettleDoubts\b|\bTravelling\b/, 'reconcile, InFlight'],
  [/\blookAtIndexing\b|\bIndexingWatch\b|\bwatchPauses\b/, 'pollIndexing, IndexingPoller, pollDelay'],
  [/\bLeftOut\b|\bObjection\b/, 'SkippedFile, SkipReason'],
  [/\btakeBack\b|\bwrittenCalls\b/, 'rollback, textToolCalls'],
  [/\bplatformNamed\b|\bpersonNeeded\b/, 'runStarted, inputRequired'],
  [
    /\bhandedOver\b|\bkeptPosition\b|\bendFollower\b|\bgivenFiles\b/,
    'dropAndPaste, scrollAnchor, autoScroll, outputFiles',
  ],
  [/\bFileTaker\b|\bforPerson:/, 'AttachmentTarget, forUser'],
  [/\bgoesOn\b/, 'isContinuation'],
  [/\bSet[bB]ack\b|\bholdBack\b|\bwentWell\b/, 'Backoff, backOff, onSuccess'],
  [/\b\w+Sentences?\b(?<!splitFirstSentence)/, '…Message'],
  [/\b\w+(?:Needs|Orders)\b|\b(?:app|attachment|knowledge)Facts\b/, '…Dependencies, …Commands, …Events'],
  [/\bentryContinued\b/, 'answerContinued, as the conversation says'],
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'the caller, the user, or what it is'],
  [/\b(?:brought|kept|keep|keeps|stays?) in step\b|\bin step with\b/i, 'synced with'],
  [/\b(?:what|whatever status) came back\b/i, "the server's response"],
  [/\bkept back\b|\bis kept here\b|\bas it is kept\b/i, 'blocked; saved, stored'],
  [
    /\b(?:not|server|servers|platform|app|vendors?|models?|shell|request) takes?\b(?! (?:it|that|its|this) |n\b)/i,
    'accept, support',
  ],
];

describe('the names in the code', () => {
  it('are those of the field, and none that were replaced come back', async () => {
    const written = [
      ...manual,
      'CONTRIBUTING.md',
      ...readdirSync('docs')
        .filter((name) => name.endsWith('.md'))
        .map((name) => join('docs', name)),
    ];
    const texts = [
      ...(await readSources()).map(({ path, text }) => ({ path: `src/${path}`, text })),
      ...written.map((path) => ({ path, text: readFileSync(path, 'utf8') })),
    ];
    const found = texts.flatMap(({ path, text }) =>
      bannedNames.flatMap(([name, instead]) => {
        const said = name.exec(text)?.[0] ?? name.exec(path)?.[0];
        return said === undefined ? [] : [`${path}: "${said}": say: ${instead}`];
      }),
    );
    assert.deepEqual(found, []);
  });
});

import type { NetworkSecrets } from '../../src/net/transport.ts';

export function scriptedSecrets(...typed: (string | undefined)[]): NetworkSecrets & { asked: string[] } {
  const kept = new Map<string, string>();
  const asked: string[] = [];
  return {
    asked,
    get: async (kind, of) => kept.get(`${kind} ${of}`),
    async ask(kind, of, refused) {
      asked.push(refused === undefined ? `${kind} ${of}` : `${kind} ${of}, not ${refused}`);
      const answer = typed.shift();
      if (answer !== undefined) kept.set(`${kind} ${of}`, answer);
      return answer;
    },
    askAgain: () => void asked.push('again'),
  };
}

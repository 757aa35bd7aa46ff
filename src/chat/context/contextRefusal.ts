export interface ContextRefusal {
  window?: number;
  prompt?: number;
}

/** Numbers outside this range are error codes, years or byte counts. */
const smallestWindow = 256;
const largestWindow = 20_000_000;

const longestText = 1000;

export function readContextRefusal(words: string): ContextRefusal {
  const text = words.slice(0, longestText);
  const window = firstNumber(text, windowForms);
  const isWindow = window !== undefined && window >= smallestWindow && window <= largestWindow;
  const prompt = firstNumber(text, promptForms);
  return {
    ...(isWindow && { window }),
    ...(prompt !== undefined && prompt >= smallestWindow && prompt <= largestWindow && { prompt }),
  };
}

/** `200000`, `200,000`, `128k`, `1M`. */
const number = String.raw`(\d[\d,]*(?:\.\d+)?\s?[kKM]?)(?!\w|\.\d)`;

const windowForms = [
  // Anthropic: "prompt is too long: 213462 tokens > 200000 maximum", "exceed context limit: 190000 + 21333 > 200000"
  `> ?${number}`,
  // vLLM, OpenAI, DeepSeek, OpenRouter, Groq, xAI: "maximum context length is 8192 tokens", "maximum prompt length is …"
  `(?:maximum|max|model'?s?|available) (?:context|prompt|input)(?: token)?s? ?(?:length|window|size|limit)?(?: of the model)?(?: allowed)?(?: is| of|:| \\(|=)+ ?(?:only )?${number}`,
  // llama.cpp, SGLang: "exceeds the available context size (4096 tokens)"; LM Studio: "context length of only 4096 tokens"
  `context (?:length|window|size|limit)(?: is| of|:| \\(|=)+ ?(?:only )?${number}`,
  // Mistral: "too large for model with 32768 maximum context length"
  `${number} (?:tokens? )?max(?:imum)? context`,
  // Gemini: "exceeds the maximum number of tokens allowed (1048576)", "only supports up to 1048576"
  `(?:tokens allowed|supports up to|supports at most|supports only)(?: is| of|:| \\()* ?${number}`,
  // OpenAI: "exceed the configured limit of 272000 tokens"; Moonshot: "exceeded model token limit: 8192"; Cohere: "cannot exceed 4081"
  `(?:limit of|token limit(?: is|:| of)|tokens? limit:|cannot exceed|must be <=|must not exceed|at most) ?${number}`,
  // Qwen: "Range of input length should be [1, 30720]"
  `input length should be \\[\\d+, ?${number}\\]`,
  // 最大上下文长度为 8192、上下文长度限制：32k、超过最大限制 32768、最多支持 8192
  `(?:最大|最长|最多|限制|上限|不超过|不能超过|窗口)[^\\d，。；,.;]{0,16}${number}`,
];

const promptForms = [
  // "you requested 10023 tokens (2023 in the messages, 8000 in the completion)", "(140000 of text input, …)"
  `${number}(?: tokens?)? (?:in the (?:messages|prompt|input)|of text input|from the (?:input|prompt))`,
  `(?:resulted in|prompt contains|request contains|request has|received|given:) ${number}`,
  `too long: ${number} tokens`,
  `input token count(?: is)? ?\\(?${number}`,
  // llama.cpp, SGLang: "request (5000 tokens) exceeds", "The input (33000 tokens) is longer than"
  `(?:request|input|input length) \\(${number}`,
  // 当前请求 9001、实际输入 9001
  `(?:当前|实际|本次|请求了?|输入了)[^\\d，。；,.;]{0,12}${number}`,
];

function firstNumber(text: string, forms: readonly string[]): number | undefined {
  for (const form of forms) {
    const [, found] = new RegExp(form, 'i').exec(text) ?? [];
    if (found !== undefined) return toNumber(found);
  }
  return undefined;
}

function toNumber(text: string): number {
  const value = Number.parseFloat(text.replaceAll(',', ''));
  if (/k$/i.test(text)) return Math.round(value * 1000);
  return text.endsWith('M') ? Math.round(value * 1_000_000) : Math.round(value);
}

import { html, redirect, type SandboxResponse } from '../host.ts';

/** Keywords for which the engines return a block page, and for which the providers report a block. */
export const SERP_BLOCK_PAGES = {
  captcha: 'show me a captcha',
  consent: 'show me a consent page',
  shell: 'show me a script shell',
  challenge: 'show me a challenge',
  disguised: 'elusive stock drop',
  tooMany: 'too many searches',
  failing: 'engine out of order',
  /** Page one contains results; page two is a block page. */
  secondPage: 'wall on page two',
} as const;

export const captchaForward = (address: string): SandboxResponse =>
  redirect(`https://www.google.com/sorry/index?continue=${encodeURIComponent(address)}&q=EgQ`);
export const captchaPage = (address: string): SandboxResponse =>
  html(
    `<!DOCTYPE html><html><head><meta name="viewport" content="initial-scale=1"><title>${address.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</title></head><body><div><form id="captcha-form" action="index" method="post"><div id="recaptcha" class="g-recaptcha" data-sitekey="6Ld" data-s="x"></div><input type="hidden" name="continue" value="x"></form><hr><div>Our systems have detected unusual traffic from your computer network.</div></div></body></html>`,
    429,
  );
export const consentForward = (address: string): SandboxResponse =>
  redirect(`https://consent.google.com/m?continue=${encodeURIComponent(address)}&gl=DE&hl=en`);
export const consentPage = (): SandboxResponse =>
  html(
    '<!doctype html><html lang="en"><head><title>Before you continue to Google Search</title></head><body><h1>Before you continue to Google</h1><form action="https://consent.google.com/save" method="POST"><input type="hidden" name="set_eom" value="true"><button>Reject all</button></form><form action="https://consent.google.com/save" method="POST"><button>Accept all</button></form></body></html>',
  );
export const shellPage = (): SandboxResponse =>
  html(
    '<!DOCTYPE html><html lang="en"><head><title>Google Search</title></head><body><noscript><meta content="0;url=/httpservice/retry/enablejs?sei=AbCd" http-equiv="refresh"><div>Please click <a href="/httpservice/retry/enablejs?sei=AbCd">here</a> if you are not redirected within a few seconds.</div></noscript><script>(function(){})();</script></body></html>',
  );
export const tooMany = (): SandboxResponse => ({
  status: 429,
  headers: { 'content-type': 'text/plain', 'retry-after': '45' },
  body: 'Too Many Requests',
});

/** Documents that a proxy, block page or other server sends in place of the platform's answer, in their original form. */
const page = (head: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;

/** Each must be `blocked` under every status. */
export const CHALLENGES: Readonly<Record<string, string>> = {
  cloudflare: page(
    '<title>Just a moment...</title><meta name="robots" content="noindex,nofollow"><meta http-equiv="refresh" content="360">',
    '<div class="main-wrapper"><noscript><div class="h2"><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript></div><script>(function(){window._cf_chl_opt = {cvId: "3",cType: "managed"};var a = document.createElement("script");a.src = "/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=9";document.head.appendChild(a);}());</script>',
  ),
  cloudflareBlock: page(
    '<title>Attention Required! | Cloudflare</title>',
    '<h1>Sorry, you have been blocked</h1><h2>You are unable to access example.com</h2><p>This website is using a security service to protect itself from online attacks.</p>',
  ),
  aws: page(
    '<title></title><script>window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQID","iv":"A","context":"B"};</script><script src="https://x.token.awswaf.com/x/challenge.js"></script>',
    '<div id="challenge-container"></div><script>AwsWafIntegration.getToken()</script>',
  ),
  datadome: page(
    '<title>example.com</title>',
    '<p id="cmsg">Please enable JS and disable any ad blocker</p><script>var dd={"rt":"c","cid":"A","hsh":"B","host":"geo.captcha-delivery.com"}</script><script src="https://ct.captcha-delivery.com/c.js"></script>',
  ),
  human: page(
    '<title>Access to this page has been denied</title>',
    '<h1>Press &amp; Hold to confirm you are a human</h1><div id="px-captcha"></div>',
  ),
  imperva:
    '<html><head><META NAME="robots" CONTENT="noindex,nofollow"></head><body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=1" frameborder=0>Request unsuccessful. Incapsula incident ID: 1-2</iframe></body></html>',
  akamai:
    '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou don\'t have permission to access "http&#58;&#47;&#47;example&#46;com&#47;" on this server.<P>\nReference&#32;&#35;18&#46;1\n</BODY>\n</HTML>\n',
  sorry: page(
    '<title>https://www.google.com/search?q=x</title>',
    '<form id="captcha-form" action="index" method="post"><div class="g-recaptcha" data-sitekey="6L"></div></form><b>About this page</b><br>Our systems have detected unusual traffic from your computer network.',
  ),
  hcaptcha: page(
    '<title>One more step</title>',
    '<p>Please complete the check.</p><form><div class="h-captcha" data-sitekey="x"></div></form>',
  ),
  ownCaptcha: page(
    '<title>Registry</title>',
    '<p>Enter the characters that you see.</p><form method="post"><img src="/captcha.php" alt=""><input name="code"></form>',
  ),
  bytedance:
    '<html><head><script id="slardar-config">{"bid":"slardar_us_waf"}</script></head><body>Please wait...<p id="wci" class="_wafchallengeid"></p></body></html>',
  anubis: page(
    "<title>Making sure you're not a bot!</title>",
    '<h1>Making sure you\'re not a bot!</h1><script id="anubis_challenge" type="application/json">{"rules":{}}</script>',
  ),
  datadomeJson: '{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=A&hash=B"}',
  googleConsent: page(
    '<title>Before you continue to Google Search</title>',
    '<h1>Before you continue to Google</h1><p>We use cookies and data to deliver and maintain the service.</p><form action="https://consent.google.com/save" method="post"><button>Accept all</button></form>',
  ),
  javascriptOff: '<html><head><title>Hinweis</title></head><body><p>Bitte aktivieren Sie JavaScript, um fortzufahren.</p></body></html>',
  noscriptOnly: '<html><body><noscript>Veuillez activer JavaScript dans votre navigateur.</noscript></body></html>',
  japaneseBrowser: page(
    '<title>お使いのブラウザはサポートされていません</title>',
    '<h1>ブラウザを更新してください</h1><ul><li><a href="https://www.google.com/chrome/">Chrome</a></li><li><a href="https://www.mozilla.org/">Firefox</a></li></ul>',
  ),
  russianBrowser: page('', '<p>Ваш браузер устарел. Обновите его, чтобы продолжить.</p>'),
  turkishScripts: page('<title>Uyarı</title>', "<div>Bu sayfayı görmek için JavaScript'i etkinleştirin.</div>"),
  vietnameseBrowser: page('', '<p>Vui lòng cập nhật trình duyệt của bạn để tiếp tục.</p>'),
  shell: page(
    '<title>App</title><script defer src="/static/js/main.8f3c.js"></script>',
    '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>',
  ),
  loadingShell: page('<title></title>', '<div id="app">Loading…</div><script src="/assets/index.js" type="module"></script>'),
};

/** Documents from other senders than the platform: never `absent`, and never `found`. */
export const FOREIGN: Readonly<Record<string, string>> = {
  nginx:
    '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
  badRequest:
    '<html><head><title>400 Bad Request</title></head><body><h1>Bad Request</h1><p>Your browser sent a request that this server could not understand.</p></body></html>',
  lawPage: page(
    '<title>Unavailable For Legal Reasons</title>',
    '<h1>Unavailable For Legal Reasons</h1><p>This page is blocked by court order.</p>',
  ),
  emptyRanks: '{"ranks":[]}',
  apache:
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1><p>The requested URL was not found on this server.</p></body></html>',
  squid:
    '<html><head><title>ERROR: The requested URL could not be retrieved</title></head><body id="ERR_DNS_FAIL"><h1>ERROR</h1><h2>The requested URL could not be retrieved</h2><p>Unable to determine IP address from host name.</p><p>Generated by proxy (squid/6.6)</p></body></html>',
  signIn: page(
    '<title>Log in</title>',
    '<h1>Log in</h1><form action="/session" method="post"><label>Email <input name="email"></label><label>Password <input type="password" name="password"></label><button>Log in</button></form>',
  ),
  gateway: '{"message":"no Route matched with those values"}',
  notFoundJson: '{"error":"Not Found","path":"/"}',
  emptyObject: '{}',
  emptyList: '[]',
  null: 'null',
  text: 'Not Found',
  empty: '',
};

/** Answers that state nothing: each is neither found nor absent under every status, at every reader. */
export const EMPTY: Readonly<Record<string, string>> = {
  'empty object': '{}',
  'empty list': '[]',
  null: 'null',
  'null as data': '{"data":null}',
  'empty object as data': '{"data":{}}',
  'empty text': '',
  'blank text': ' \r\n',
  'a type alone': '{"__typename":"Tweet"}',
  'a type alone as data': '{"data":{"__typename":"Query"}}',
  'list of an empty object': '[{}]',
  'empty string': '""',
  zero: '0',
};

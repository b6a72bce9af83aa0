# SPDX-License-Identifier: MIT
"""The formulas on which translators of LTL are usually compared, in the language of docs/ltl.md.

DWYER: the 55 patterns of M. B. Dwyer, G. S. Avrunin, J. C. Corbett, "Property Specification Patterns for
Finite-State Verification", FMSP 1998: absence, existence, bounded existence, universality, precedence,
response and chains of them, each globally, before r, after q, between q and r, after q until r.
EH: the 12 of K. Etessami, G. J. Holzmann, "Optimizing Buechi Automata", CONCUR 2000.
SB: the 27 of F. Somenzi, R. Bloem, "Efficient Buechi Automata from LTL Formulae", CAV 2000.
"""

DWYER = """
G !p
F r -> (!p U r)
G (q -> G !p)
G ((q & !r & F r) -> (!p U r))
G (q & !r -> (!p W r))
F p
!r W (p & !r)
G !q | F (q & F p)
G (q & !r -> (!r W (p & !r)))
G (q & !r -> (!r U (p & !r)))
!p W (p W (!p W (p W G !p)))
F r -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r)))))))))
F q -> (!q U (q & (!p W (p W (!p W (p W G !p))))))
G ((q & F r) -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r))))))))))
G (q -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p W r) | G p)))))))))
G p
F r -> (p U r)
G (q -> G p)
G ((q & !r & F r) -> (p U r))
G (q & !r -> (p W r))
!p W s
F r -> (!p U (s | r))
G !q | F (q & (!p W s))
G ((q & !r & F r) -> (!p U (s | r)))
G (q & !r -> (!p W (s | r)))
G (p -> F s)
F r -> (p -> (!r U (s & !r))) U r
G (q -> G (p -> F s))
G ((q & !r & F r) -> ((p -> (!r U (s & !r))) U r))
G (q & !r -> ((p -> (!r U (s & !r))) W r))
F p -> (!p U (s & !p & X (!p U t)))
F r -> (!p U (r | (s & !p & X (!p U t))))
G !q | (!q U (q & F p -> (!p U (s & !p & X (!p U t)))))
G ((q & F r) -> (!p U (r | (s & !p & X (!p U t)))))
G (q -> (F p -> (!p U (r | (s & !p & X (!p U t))))))
F (s & X F t) -> (!s U p)
F r -> ((!(s & !r & X (!r U (t & !r)))) U (r | p))
G !q | (!q U (q & (F (s & X F t) -> (!s U p))))
G ((q & F r) -> ((!(s & !r & X (!r U (t & !r)))) U (r | p)))
G (q -> (!(s & !r & X (!r U (t & !r))) U (r | p) | G !(s & X F t)))
G (s & X F t -> X F (t & F p))
F r -> (s & X (!r U t) -> X (!r U (t & F p))) U r
G (q -> G (s & X F t -> X (!t U (t & F p))))
G ((q & F r) -> (s & X (!r U t) -> X (!r U (t & F p))) U r)
G (q -> (s & X (!r U t) -> X (!r U (t & F p))) U (r | G (s & X (!r U t) -> X (!r U (t & F p)))))
G (p -> F (s & X F t))
F r -> (p -> (!r U (s & !r & X (!r U t)))) U r
G (q -> G (p -> (s & X F t)))
G ((q & F r) -> (p -> (!r U (s & !r & X (!r U t)))) U r)
G (q -> (p -> (!r U (s & !r & X (!r U t)))) U (r | G (p -> (s & X F t))))
G (p -> F (s & !z & X (!z U t)))
F r -> (p -> (!r U (s & !r & !z & X ((!r & !z) U t)))) U r
G (q -> G (p -> (s & !z & X (!z U t))))
G ((q & F r) -> (p -> (!r U (s & !r & !z & X ((!r & !z) U t)))) U r)
G (q -> (p -> (!r U (s & !r & !z & X ((!r & !z) U t)))) U (r | G (p -> (s & !z & X (!z U t)))))
"""

EH = """
p U (q & G r)
p U (q & X (r U s))
p U (q & X (r & F (s & X F (t & X F (u & X F v)))))
F (p & X G q)
F (p & X (q & X F r))
F (q & X (p U r))
F G q | G F p
G (p -> (q U r))
G (p & X F (q & X F (r & X F s)))
G F p & G F q & G F r & G F s & G F t
(p U (q U r)) | (q U (r U p)) | (r U (p U q))
G (p -> (q U (G r | G s)))
"""

SB = """
p U q
p U (q U r)
!(p U (q U r))
G F p -> G F q
F p U G q
G p U q
!(F F p <-> F q)
!(G F p -> G F q)
!(G F p <-> G F q)
p R (p | q)
(X p U X q) | !X (p U q)
(X p U q) | !X (p U (p & q))
G (p -> F q) & ((X p U q) | !X (p U (p & q)))
G (p -> F q) & ((X p U X q) | !X (p U q))
G (p -> F q)
!G (p -> X (q R r))
!(F G p | F G q)
G (F p & F q)
F p & F !p
(X q & r) R X (((s U p) R r) U (s R r))
(G (q | G F p) & G (r | G F !p)) | G q | G r
(G (q | F G p) & G (r | F G !p)) | G q | G r
!((G (q | G F p) & G (r | G F !p)) | G q | G r)
!((G (q | F G p) & G (r | F G !p)) | G q | G r)
G (q | X G p) & G (r | X G !p)
G (q | (X p & X !p))
(p U p) | (q U p)
"""

FAMILIES = {name: text.strip().splitlines() for name, text in (("dwyer", DWYER), ("eh", EH), ("sb", SB))}

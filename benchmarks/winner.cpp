// A reference program: the most secrets that any strategy finds within K guesses.
//
//     g++ -O3 -march=native -o winner winner.cpp
//     ./winner code PEGS COLORS REPEATS K          REPEATS: 1 or 0; 4 6 1 4 gives 768
//     ./winner words ANSWERS GUESSES K             two files of words
//
// A plain recursion on one thread that prints a line of JSON. For a set T of candidates, W(T, 1) is 1,
// W(T, 2) is the largest number of cells of a guess, and W(T, K) is the maximum over all guesses of the
// sum of W(cell, K - 1), where a guess that is the secret counts 1. In games of codes, only one first
// guess of each kind is tried. The search prunes by W(T, K) <= |T| and by upper bounds of the cells.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>
using namespace std;
typedef vector<int> Set;
static int nS,nG,nF,solved; static vector<uint8_t> M; static vector<int> first; static long long nodes=0;
static int W(const Set&T,int k,int need);
static int parts(const Set&T,int lim){ // the largest number of cells; stops at lim
 int best=0; static int mark[256]; static int stamp=0;
 for(int g=0;g<nG;g++){const uint8_t*r=&M[(size_t)g*nS];stamp++;int p=0;for(int s:T)if(mark[r[s]]!=stamp){mark[r[s]]=stamp;p++;}if(p>best){best=p;if(best>=lim)break;}}
 return best;}
// the maximum if it is at least `need`; else some number below `need`
static int W(const Set&T,int k,int need){ nodes++;
 int n=T.size(); if(n<need)return n; if(n<=1)return n; if(k==1)return 1; if(n==2)return 2; 
 if(k==2)return parts(T,min(n,nF));
 int best=need-1; vector<pair<int,int>>ord; 
 { static int cnt[256]; vector<int> list; int G=nG; const vector<int>*use=0; if(n==nS&&first.size()){use=&first;G=first.size();}
   for(int i=0;i<G;i++){int g=use?(*use)[i]:i;const uint8_t*r=&M[(size_t)g*nS];memset(cnt,0,sizeof cnt);int p=0;for(int s:T)if(!cnt[r[s]]++)p++; if(p<2)continue; ord.push_back({-p,g});}
 }
 sort(ord.begin(),ord.end());
 for(auto&o:ord){int g=o.second;const uint8_t*r=&M[(size_t)g*nS];map<int,Set>c;for(int s:T)c[r[s]].push_back(s);
  int got=0,left=0;vector<Set*>v;for(auto&e:c){if(e.first==solved)got++;else{v.push_back(&e.second);left+=e.second.size();}}
  // upper bound of a cell with k-1 guesses: the smaller of its size and nF^(k-2)
  sort(v.begin(),v.end(),[](Set*a,Set*b){return a->size()>b->size();});
  long cap=1;for(int i=0;i<k-2;i++)cap*=nF; int ub=got;for(auto x:v)ub+=min<long>(x->size(),cap);
  bool ok=ub>best; for(auto x:v){if(!ok)break;int lim=min<long>(x->size(),cap);int want=best+1-(ub-lim);int w=W(*x,k-1,max(want,1)); if(w<want){ok=false;break;} ub-=lim-min(w,lim); }
  if(ok&&ub>best){best=ub;if(best==n)return best;}
 }
 return best>=need?best:need-1;}
int main(int c,char**v){
 if(!(c==6&&!strcmp(v[1],"code"))&&!(c==5&&!strcmp(v[1],"words"))){
  fprintf(stderr,"usage: winner code PEGS COLORS REPEATS K | winner words ANSWERS GUESSES K\n");return 2;}
 auto t0=chrono::steady_clock::now();int K;
 if(!strcmp(v[1],"code")){int P=atoi(v[2]),C=atoi(v[3]),rep=atoi(v[4]);K=atoi(v[5]);vector<string>L;string w(P,0);
  long tot=1;for(int i=0;i<P;i++)tot*=C;for(long x=0;x<tot;x++){long y=x;bool ok=true;for(int i=P-1;i>=0;i--){w[i]=y%C;y/=C;}if(!rep)for(int i=0;i<P;i++)for(int j=0;j<i;j++)if(w[i]==w[j])ok=false;if(ok)L.push_back(w);}
  nS=nG=L.size();M.resize((size_t)nS*nS);nF=(P+1)*(P+2)/2-1;solved=P*(P+1);
  for(int g=0;g<nG;g++)for(int s=0;s<nS;s++){int b=0,t=0;int x[40]={0},y[40]={0};for(int i=0;i<P;i++){b+=L[g][i]==L[s][i];x[L[g][i]]++;y[L[s][i]]++;}for(int j=0;j<C;j++)t+=min(x[j],y[j]);M[(size_t)g*nS+s]=b*(P+1)+t-b;}
  map<vector<int>,int>seen;for(int g=0;g<nG;g++){vector<int>k(C,0);for(char ch:L[g])k[ch]++;sort(k.begin(),k.end());if(!seen.count(k)){seen[k]=1;first.push_back(g);}}
 }else{ifstream a(v[2]),b(v[3]);K=atoi(v[4]);vector<string>S,G;string w;while(a>>w)S.push_back(w);while(b>>w)G.push_back(w);nS=S.size();nG=G.size();M.resize((size_t)nS*nG);int n=S[0].size();nF=1;for(int i=0;i<n;i++)nF*=3;solved=nF-1;
  for(int g=0;g<nG;g++)for(int s=0;s<nS;s++){int col[16]={0};bool used[16]={0};for(int i=0;i<n;i++)if(G[g][i]==S[s][i]){col[i]=2;used[i]=1;}for(int i=0;i<n;i++)if(!col[i])for(int j=0;j<n;j++)if(!used[j]&&S[s][j]==G[g][i]){used[j]=1;col[i]=1;break;}int x=0;for(int i=0;i<n;i++)x=x*3+col[i];M[(size_t)g*nS+s]=x;}}
 Set all(nS);for(int i=0;i<nS;i++)all[i]=i;int r=W(all,K,1);
 printf("{\"within\": %d, \"found\": %d, \"of\": %d, \"seconds\": %.3f}\n",K,r,nS,chrono::duration<double>(chrono::steady_clock::now()-t0).count());}
